import { GateError } from '../../core/gateError.js';
import type { PersistOptions } from './persist.js';
import { awaitOpening, lookAtLease } from './takeLease.js';

/**
 * Refuses a run beside another gate's before anything is planned; the first step takes the Lease. A preview only looks; an `up` also
 * waits until a holder of another machine is seen to renew, or is dead: what Pulumi itself applies may come before any step.
 */
export async function checkLease(namespace: string, persist: PersistOptions, preview: boolean): Promise<void> {
  const request = { ...persist, namespace, self: '', progress: persist.progress ?? (() => {}) };
  if (!preview) {
    await awaitOpening(request);
    return;
  }
  const verdict = await lookAtLease(request);
  if (verdict.kind !== 'failed') return;
  throw new GateError({ layer: persist.layer, code: verdict.code, message: verdict.detail, retryable: true });
}
