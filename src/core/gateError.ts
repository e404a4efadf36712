/** The parts of the program that an error can belong to: the gate's layers in their order, and the parts around it. */
export const layers = [
  'preflight',
  'images',
  'drain',
  'apply',
  'setup',
  'workloads',
  'ray',
  'rollouts',
  'app-convergence',
  'image-identity',
  'runtime-env',
  'probes',
  'api-smoke',
  'prometheus',
  'final-identity',
  'evidence',
  'lab',
  'settings',
  'usage',
  'synth',
  'trigger',
  'status',
  'explain',
] as const;

export type Layer = (typeof layers)[number];

export interface GateErrorOptions {
  readonly layer: Layer;
  /** Stable, dotted: `ray.pod-not-owned`. */
  readonly code: string;
  /** One line: what is wrong, with the name and the value, then what to do next. Redacted by whoever makes it. */
  readonly message: string;
  /** Whether the same step may succeed when it is run again with nothing changed. Default: false. */
  readonly retryable?: boolean;
}

/**
 * The one exception of the program. It carries no `cause` on purpose: a chained error can hold unredacted output.
 * Recognise it with {@link isGateError}: `instanceof` fails across the boundary of Pulumi's plugin process.
 */
export class GateError extends Error {
  readonly isRaygateError = true;
  readonly layer: Layer;
  readonly code: string;
  readonly retryable: boolean;

  constructor(options: GateErrorOptions) {
    super(options.message);
    this.name = 'GateError';
    this.layer = options.layer;
    this.code = options.code;
    this.retryable = options.retryable ?? false;
  }
}

export function isGateError(error: unknown): error is GateError {
  return typeof error === 'object' && error !== null && (error as { isRaygateError?: unknown }).isRaygateError === true;
}

/** The one line a user sees first: `FAILED [ray]: …`. */
export function failureLine(error: unknown): string {
  if (isGateError(error)) return `FAILED [${error.layer}]: ${error.message} (${error.code})`;
  return `FAILED [internal]: ${error instanceof Error ? error.message : String(error)}`;
}
