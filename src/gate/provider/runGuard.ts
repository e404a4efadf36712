import { deferred } from '../../core/deferred.js';
import type { GateError } from '../../core/gateError.js';

/** What ends every step of a run at once, whatever each of them waits for: a lost Lease, a changed identity, the run's deadline. */
export interface RunGuard {
  /** The first failure stays; later ones are its consequences. */
  fail(error: GateError): void;
  readonly failure: GateError | undefined;
  /** The work's own end, or the failure as soon as there is one. What the work still does then has no effect: see `guardedCluster`. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** `onFailure` is called once, with the first failure: for what need not go on. */
export function createRunGuard(onFailure: (error: GateError) => void = () => {}): RunGuard {
  const { promise: ended, reject } = deferred<never>();
  // Nobody may be listening when it fails.
  ended.catch(() => {});
  let failure: GateError | undefined;
  return {
    fail(error) {
      if (failure !== undefined) return;
      failure = error;
      reject(error);
      onFailure(error);
    },
    get failure() {
      return failure;
    },
    during: (work) => {
      work.catch(() => {}); // The one that loses the race must not count as unhandled.
      return Promise.race([ended, work]);
    },
  };
}
