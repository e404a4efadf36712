import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import type { ProcessLife } from '../../host/processRecord.js';
import { type LeaseFacts, leaseName } from '../model/lease.js';

/** What one gate has seen of the Lease. */
export interface LeaseSight {
  readonly namespace: string;
  readonly lease: LeaseFacts | undefined;
  /** Our own holder identity. */
  readonly self: string;
  /** What this machine knows of the holder's process. */
  readonly life: ProcessLife;
  /** Seconds by our own clock in which it stayed as it is. */
  readonly unchangedSeconds: number;
  /** Whether this holder renewed it while we looked. */
  readonly renewalSeen: boolean;
}

/** How the Lease may be taken. */
export type LeaseOpening =
  | { readonly how: 'create' }
  | { readonly how: 'update'; readonly lease: LeaseFacts; readonly why: string };

/** Of a Lease that names none. */
const defaultDurationSeconds = 30;

/**
 * Whether this gate may take the Lease. No time that somebody else wrote is compared with ours: a holder is dead when its process is
 * proven gone on this machine, or when we have watched it for its whole duration without a renewal.
 */
export function judgeLease(sight: LeaseSight): Verdict<LeaseOpening> {
  const { lease, self, life, unchangedSeconds, renewalSeen } = sight;
  if (lease === undefined) return ready({ how: 'create' });
  const open = (why: string): Verdict<LeaseOpening> => ready({ how: 'update', lease, why });
  if (lease.identity === '') return open('it was released');
  if (lease.identity === self) return open('it is ours');
  if (life === 'dead') return open(`its holder, ${holderWords(lease)}, is gone`);
  const held = `another gate holds Lease ${sight.namespace}/${leaseName} since ${lease.acquireTime || 'an unknown time'}: ${holderWords(lease)}`;
  if (life === 'alive' || renewalSeen) {
    return failed('gate.lease-held', `${held}; wait for it to end or end it, then run again`);
  }
  const limitSeconds = lease.durationSeconds > 0 ? lease.durationSeconds : defaultDurationSeconds;
  if (unchangedSeconds >= limitSeconds) {
    return open(`its holder, ${holderWords(lease)}, did not renew it for ${limitSeconds} s`);
  }
  return waiting('gate.lease-held', `${held}; a holder that does not renew it for ${limitSeconds} s is taken for dead`);
}

export function holderWords({ identity, holder }: Pick<LeaseFacts, 'identity' | 'holder'>): string {
  if (holder === undefined) return `"${identity.slice(0, 200)}"`;
  return `run ${holder.runId} of stack ${holder.stack}, pid ${holder.process.pid}`;
}
