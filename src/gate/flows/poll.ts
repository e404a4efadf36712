import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.js';
import { GateError, type Layer } from '../../core/gateError.js';
import { isUnseen, type Verdict } from '../../core/verdict.js';

export interface PollOptions {
  readonly layer: Layer;
  readonly deadline: Deadline;
  readonly everySeconds: number;
  /** The first pause; each is twice the one before, up to `everySeconds`. Default: `everySeconds`. */
  readonly firstSeconds?: number;
  readonly progress?: (line: string) => void;
}

/**
 * For what cannot be watched (an HTTP API): looks, judges, looks again. Fails at once on `failed`, and on the deadline with
 * what it still waited for.
 */
export async function pollUntil<Facts>(look: () => Promise<Verdict<Facts>>, options: PollOptions): Promise<Facts> {
  let pauseSeconds = options.firstSeconds ?? options.everySeconds;
  for (;;) {
    const verdict = await look();
    if (verdict.kind === 'ready') return verdict.facts;
    if (verdict.kind === 'failed')
      throw new GateError({ layer: options.layer, code: verdict.code, message: verdict.detail });
    options.progress?.(verdict.detail);
    if (options.deadline.passed()) {
      const detail = `After ${options.deadline.limitSeconds} s still waiting: ${verdict.detail}`;
      const timedOut = !isUnseen(verdict.code);
      throw new GateError({ layer: options.layer, code: verdict.code, message: detail, retryable: true, timedOut });
    }
    await pause(Math.min(pauseSeconds * 1000, options.deadline.remainingMs()));
    pauseSeconds = Math.min(2 * pauseSeconds, options.everySeconds);
  }
}
