import { GateError, isGateError } from '../../core/gateError.js';
import { isProcessFailure } from '../../host/process.js';

/** Below this the tools fail without a word about space (apt among them). */
const nothingLeftBytes = 64 * 1024 * 1024;

/**
 * One line for whatever went wrong in `activity` ("making the image postgres:17"), which keeps its results in `folder`. A full
 * disk is named as such, wherever it was met: in this process, in a tool, or in the Docker daemon.
 * @param freeBytes what the disk of `folder` has left, if it is known
 */
export function imageError(activity: string, folder: string, error: unknown, freeBytes?: number): GateError {
  if (isGateError(error)) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  const text = isProcessFailure(error) ? `${error.output}\n${message}` : message;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || /no space left on device|disk quota exceeded/i.test(text);
  if (full || (freeBytes !== undefined && freeBytes < nothingLeftBytes)) {
    return new GateError({
      layer: 'lab',
      code: 'lab.disk-full',
      message: `the disk is full: ${activity} failed, in ${folder} or in Docker's own store. Nothing half-made was kept; free some space (all images take about 5 GB) and run it again`,
      retryable: true,
    });
  }
  return new GateError({
    layer: 'lab',
    code: 'lab.image-failed',
    message: `${activity} failed: ${cause(error, message)}`,
  });
}

/** Of a tool its own last error line: the message of a failure begins with a command line that is long and says little. */
function cause(error: unknown, message: string): string {
  const lines = isProcessFailure(error) && error.reason === 'exit' ? error.output.split('\n') : [];
  const last = (pattern: RegExp) => lines.findLast((line) => pattern.test(line));
  const line =
    lines.find((text) => text.startsWith('E: ')) ?? last(/^ERROR: /) ?? last(/error/i) ?? last(/\S/) ?? message;
  // A mirror's address may hold a user's name and password.
  return line
    .replace(/:\/\/[^/\s@]*@/g, '://')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 600);
}
