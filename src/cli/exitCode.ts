import { CommanderError } from 'commander';
import { isGateError } from '../core/gateError.js';

/**
 * The command's exit code for what ended it: 1 when a check or a step failed, 2 when the command or the settings were wrong, so
 * that running it again unchanged is of no use. Done, and help that was asked for, is 0.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return isGateError(error) && (error.layer === 'settings' || error.layer === 'usage') ? 2 : 1;
}
