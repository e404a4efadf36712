import { setTimeout as sleep } from 'node:timers/promises';

export interface Backoff {
  /** Waits a little longer each time, by chance between half and all of it, and ends early when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /** Starts again from the shortest wait. */
  reset(): void;
}

export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly random?: () => number;
}

export function createBackoff({ firstMs, longestMs, random = Math.random }: BackoffOptions): Backoff {
  let next = firstMs;
  return {
    async wait(signal) {
      const ms = next * (0.5 + random() / 2);
      next = Math.min(longestMs, next * 2);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
    reset() {
      next = firstMs;
    },
  };
}
