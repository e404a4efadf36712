import { CommanderError } from 'commander';
import { isGateError } from '../core/gateError.js';

/** What the user must change in their files, or start as another user, whatever part of the program found it. */
const wrongPlace = /^(?:kubeconfig\.(?!changed$|not-private$)|lab\.not-hostable$)/;

/**
 * The command's exit code for what ended it: 1 when a check or a step failed, 2 when the command or the settings were wrong, so
 * that running it again unchanged is of no use. Done, and help that was asked for, is 0.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!isGateError(error)) return 1;
  return error.layer === 'settings' || error.layer === 'usage' || wrongPlace.test(error.code) ? 2 : 1;
}
