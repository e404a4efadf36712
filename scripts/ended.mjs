import { constants } from 'node:os';
import { SetupError } from './setupError.mjs';

/** The exit code of a child by what Node says of its end: as a shell has it, 128 and the signal's number for one that was killed. */
export function exitCodeOf(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** @throws SetupError when a part of the set-up was ended by a signal, its own or one that we were sent: no fault of what it did. */
export function refuseInterrupted(what, { signal, heard }) {
  const by = heard ?? signal;
  if (by) throw new SetupError(`${what} was interrupted by ${by}: run the command again`, exitCodeOf(null, by));
}
