import { type Failure, readFailureLine } from '../../core/failureLine.js';
import { soundsPassing } from '../../core/foreignText.js';
import { GateError } from '../../core/gateError.js';

/**
 * Whether an update ended on something that may have passed by the time it is run again: our own failures say so, and Pulumi's
 * provider sounds so while the API server is away.
 */
export function isPassing(errors: readonly string[]): boolean {
  return errors.some((error) => readFailureLine(error)?.mayPass ?? soundsPassing(error));
}

/** Whether the update ended because there are no credentials yet, which preflight asks for after all else. */
export function lacksOnlyTheSecret(errors: readonly string[]): boolean {
  return errors.some((error) => readFailureLine(error)?.code === 'preflight.secret-absent');
}

/** The error of an ended update in our own words where one of them has some, else in Pulumi's first line. */
export function updateError(errors: readonly string[]): GateError {
  const named = errors.map(readFailureLine).find((failure) => failure !== undefined);
  const first = errors.map((error) => error.trim().split('\n')[0] ?? '').find((line) => line !== '');
  const { layer, code, message }: Omit<Failure, 'mayPass'> = named ?? {
    layer: 'apply',
    code: 'start.update-failed',
    message: first ?? 'no reason was given',
  };
  const nothingDone = layer === 'preflight' || layer === 'settings';
  const next = 'what was done stays, and the next npm start or pulumi up goes on from there';
  return new GateError({ layer, code, message: nothingDone ? message : `${message.replace(/\.$/, '')}; ${next}` });
}
