import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.js';
import { GateError, type Layer } from '../../core/gateError.js';
import type { Verdict } from '../../core/verdict.js';

export interface PollOptions {
  readonly layer: Layer;
  readonly deadline: Deadline;
  readonly everySeconds: number;
  readonly progress?: (line: string) => void;
}

/**
 * For what cannot be watched (an HTTP API): looks, judges, looks again. Fails at once on `failed`, and on the deadline with
 * what it still waited for.
 */
export async function pollUntil<Facts>(look: () => Promise<Verdict<Facts>>, options: PollOptions): Promise<Facts> {
  for (;;) {
    const verdict = await look();
    if (verdict.kind === 'ready') return verdict.facts;
    if (verdict.kind === 'failed') throw gateError(options.layer, verdict.code, verdict.detail, false);
    options.progress?.(verdict.detail);
    if (options.deadline.passed()) {
      const detail = `After ${options.deadline.limitSeconds} s still waiting: ${verdict.detail}`;
      throw gateError(options.layer, verdict.code, detail, true);
    }
    await pause(Math.min(options.everySeconds * 1000, options.deadline.remainingMs()));
  }
}

function gateError(layer: Layer, code: string, message: string, retryable: boolean): GateError {
  return new GateError({ layer, code, message, retryable });
}
