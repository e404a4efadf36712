/**
 * Why the API server did not do what it was asked.
 *
 * - `conflict`: the object changed since it was read, a precondition on uid or resourceVersion failed, or another field
 *   manager owns a field; `already-exists`: a create of a name that is taken.
 * - `forbidden`, `unauthorized`: the credentials; `invalid`: the object (400, 415, 422); `not-found`: a 404 on a mutation.
 * - `unserved`: discovery proves that the API server has no such kind.
 * - `throttled` (429), `server` (5xx), `unreachable` (no connection, or it broke), `time-out`: retryable.
 * - `undecodable`: an answer that is not what Kubernetes answers; `snapshot`: the pinned kubeconfig is not what it was.
 * - `exec`: a command in a container could not be run to its end.
 */
export type ClusterErrorCode =
  | 'conflict'
  | 'already-exists'
  | 'forbidden'
  | 'unauthorized'
  | 'invalid'
  | 'not-found'
  | 'unserved'
  | 'throttled'
  | 'server'
  | 'unreachable'
  | 'time-out'
  | 'undecodable'
  | 'snapshot'
  | 'exec';

export interface ClusterErrorOptions {
  readonly code: ClusterErrorCode;
  /** One line, redacted and bounded by whoever makes it. */
  readonly message: string;
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  readonly retryable?: boolean;
}

/** What a mutation throws. No `cause`, on purpose: a chained error can hold unredacted output. */
export class ClusterError extends Error {
  readonly isRaygateClusterError = true;
  readonly code: ClusterErrorCode;
  readonly status: number | undefined;
  /** Whether the same request may succeed later without anybody's doing. A time-out may have been carried out all the same. */
  readonly retryable: boolean;

  constructor(options: ClusterErrorOptions) {
    super(options.message);
    this.name = 'ClusterError';
    this.code = options.code;
    this.status = options.status;
    this.retryable = options.retryable ?? false;
  }
}

export function isClusterError(error: unknown): error is ClusterError {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as { isRaygateClusterError?: unknown }).isRaygateClusterError === true
  );
}
