import { GateError, isGateError } from '../../core/gateError.js';
import { isProcessFailure } from '../../host/process.js';

/**
 * One line for whatever went wrong while something of an image was made in `folder`. A full disk is named as such, wherever
 * it was met: in this process, in a tool, or in the Docker daemon.
 */
export function imageError(what: string, folder: string, error: unknown): GateError {
  if (isGateError(error)) return error as GateError;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  const output = isProcessFailure(error) ? `${error.message}\n${error.output}` : message;
  if (code === 'ENOSPC' || code === 'EDQUOT' || /no space left on device|disk quota exceeded/i.test(output)) {
    return new GateError({
      layer: 'lab',
      code: 'lab.disk-full',
      message: `the disk is full: ${what} could not be made in ${folder} or in Docker's store; nothing half-made was kept. Free some space (the images take about 4 GB) and run it again`,
      retryable: true,
    });
  }
  return new GateError({
    layer: 'lab',
    code: 'lab.image-failed',
    message: `${what} could not be made: ${oneLine(message)}`,
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 600);
}
