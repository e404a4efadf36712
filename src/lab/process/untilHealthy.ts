import { setTimeout as delay } from 'node:timers/promises';
import { deadlineIn } from '../../core/deadline.js';
import { GateError } from '../../core/gateError.js';
import type { Health } from '../components/component.js';

export interface HealthWait {
  readonly name: string;
  readonly limitSeconds: number;
  /** The command that tells more. */
  readonly see: string;
  readonly probe: () => Promise<Health>;
  readonly onProgress: (why: string) => void;
  /** Throws when the part can no longer become healthy. */
  readonly assertGoing?: () => Promise<void>;
}

/**
 * Asks a part that has nothing to watch until it is healthy.
 * @throws GateError `lab.component-unhealthy` at the deadline, with the last reason.
 */
export async function untilHealthy(wait: HealthWait): Promise<void> {
  const deadline = deadlineIn(wait.limitSeconds);
  for (;;) {
    const health = await wait.probe();
    if (health.healthy) break;
    await wait.assertGoing?.();
    if (deadline.passed()) {
      throw new GateError({
        layer: 'lab',
        code: 'lab.component-unhealthy',
        message: `${wait.name} is not healthy after ${wait.limitSeconds} s: ${health.why}. See: ${wait.see}`,
        retryable: true,
      });
    }
    wait.onProgress(health.why);
    await delay(100);
  }
  wait.onProgress('');
}
