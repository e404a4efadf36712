import type { Deadline } from '../core/deadline.js';
import { deferred } from '../core/deferred.js';
import { GateError } from '../core/gateError.js';
import { isUnseen, type Verdict } from '../core/verdict.js';
import type { UntilOptions, View } from './watchStore.js';

/** What a wait needs of a store. */
export interface Observed {
  view(): View;
  /** Calls back after any change, readability included. Returns what ends it. */
  onChange(listener: () => void): () => void;
  /** Lists every kind anew. */
  confirm(): Promise<void>;
  /** Aborted when the store is closed. */
  readonly closed: AbortSignal;
  /** Makes a verdict's detail printable. */
  printable(text: string): string;
}

/** The wait of `WatchStore.until`. */
export async function waitUntil<Facts>(
  observed: Observed,
  judge: (view: View) => Verdict<Facts>,
  options: UntilOptions,
): Promise<Facts> {
  const { deadline, layer, onProgress, everySeconds } = options;
  const wake = createWake();
  const forget = observed.onChange(wake.call);
  observed.closed.addEventListener('abort', wake.call);
  const tick = everySeconds === undefined ? undefined : setInterval(wake.call, everySeconds * 1000);
  let shown: string | undefined;
  try {
    for (;;) {
      // Taken before judging: what changes meanwhile must not be slept over.
      const changed = wake.next();
      const verdict = await judgeConfirmed(observed, judge, options);
      if (verdict.kind === 'ready') return verdict.facts;
      const { code } = verdict;
      const detail = observed.printable(verdict.detail);
      if (verdict.kind === 'failed') throw new GateError({ layer, code, message: detail });
      if (observed.closed.aborted) {
        throw new GateError({
          layer,
          code: 'cluster.closed',
          message: `the watch was closed while waiting: ${detail}`,
        });
      }
      if (deadline.passed()) {
        const message = `not within ${deadline.limitSeconds} s; still waiting: ${detail}`;
        throw new GateError({ layer, code, message, retryable: true, timedOut: !isUnseen(code) });
      }
      if (detail !== shown) onProgress?.(detail);
      shown = detail;
      // Set anew each time: a timer may fire a little before the deadline's own clock says so.
      const limit = setTimeout(wake.call, Math.ceil(deadline.remainingMs()));
      await changed.finally(() => clearTimeout(limit));
    }
  } finally {
    forget();
    observed.closed.removeEventListener('abort', wake.call);
    clearInterval(tick);
  }
}

async function judgeConfirmed<Facts>(
  observed: Observed,
  judge: (view: View) => Verdict<Facts>,
  { confirm, deadline }: UntilOptions,
): Promise<Verdict<Facts>> {
  const first = judge(observed.view());
  if (first.kind !== 'ready' || !confirm) return first;
  if (!(await within(observed.confirm(), deadline))) {
    return { kind: 'waiting', code: 'cluster.unconfirmed', detail: 'a list that confirms what the watches show' };
  }
  return judge(observed.view());
}

/** Whether the work ended before the deadline. */
async function within(work: Promise<void>, deadline: Deadline): Promise<boolean> {
  const { promise: limit, resolve } = deferred<false>();
  const timer = setTimeout(() => resolve(false), Math.ceil(deadline.remainingMs()));
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Joins calls that come together into one: whoever waits goes on after the events at hand have all been taken in. */
function createWake(): { call: () => void; next: () => Promise<void> } {
  let pending = deferred<void>();
  let scheduled = false;
  return {
    next: () => pending.promise,
    call() {
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        const { resolve } = pending;
        pending = deferred<void>();
        resolve();
      });
    },
  };
}
