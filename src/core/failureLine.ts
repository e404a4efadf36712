import { isGateError, type Layer, layers, mayPass } from './gateError.js';

/** What a failure's line says. */
export interface Failure {
  readonly layer: Layer;
  readonly message: string;
  readonly code: string;
  /** Running the same again is worth it: what failed may have passed. */
  readonly mayPass: boolean;
}

const passing = '; may pass';

/** The one line a user sees first: `FAILED [ray]: … (ray.pod-not-owned)`. */
export function failureLine(error: unknown): string {
  return lineOf(error, '');
}

/**
 * The same for an error that goes through Pulumi, of which only the text arrives: `(ray.unreachable; may pass)` tells its users, and
 * `npm start`, that running it again is worth it.
 */
export function relayedFailureLine(error: unknown): string {
  return lineOf(error, isGateError(error) && mayPass(error) ? passing : '');
}

function lineOf(error: unknown, mark: string): string {
  if (isGateError(error)) return `FAILED [${error.layer}]: ${error.message} (${error.code}${mark})`;
  return `FAILED [internal]: ${error instanceof Error ? error.message : String(error)}`;
}

/** The first failure in a text, whatever stands around it; undefined when there is none. */
export function readFailureLine(text: string): Failure | undefined {
  const match = /FAILED \[([a-z-]+)\]: (.*?) \(([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)(; may pass)?\)[ \t]*$/ms.exec(text);
  const [, layer, message, code, mark] = match ?? [];
  if (message === undefined || code === undefined) return undefined;
  const known = layers.find((each) => each === layer);
  return known && { layer: known, message, code, mayPass: mark === passing };
}
