import { failed, type Verdict } from '../../core/verdict.js';
import type { ProvenIdentity } from '../model/identities.js';
import type { LayerPins, Pin } from '../model/pin.js';
import type { RunPlan } from '../model/plan.js';
import { pinDifference } from '../rules/pinned.js';
import { livePins } from '../rules/pins.js';
import { judgeLiveIdentity, type LiveExpectation, type WholeReading } from './liveIdentity.js';

export interface UnchangedExpectation extends LiveExpectation {
  readonly pinned: readonly LayerPins[];
  /** What is not in the watched namespace, as it stands. */
  readonly outside: readonly Pin[];
}

export interface Unchanged {
  readonly identity: ProvenIdentity;
  /** Every subject that was pinned, as it stands. */
  readonly pins: readonly Pin[];
}

/**
 * Whether everything is still what was pinned, and still as planned. A pin that no longer holds ends it at once: what is Ready again
 * after a restart is not what was proven.
 */
export function judgeUnchanged(
  reading: WholeReading,
  plan: RunPlan,
  expected: UnchangedExpectation,
): Verdict<Unchanged> {
  const { app, ray, setup } = reading;
  const live = [...expected.outside, ...livePins({ ...app, job: setup.job, cluster: ray.cluster })];
  const changed = pinDifference(expected.pinned, live);
  if (changed !== undefined) return failed('final-identity.changed', `Since it was proven: ${changed}.`);
  const identity = judgeLiveIdentity(reading, plan, expected);
  if (identity.kind !== 'ready') return identity;
  const known = new Set(expected.pinned.flatMap(({ pins }) => pins.map((pin) => pin.subject)));
  return { kind: 'ready', facts: { identity: identity.facts, pins: live.filter((pin) => known.has(pin.subject)) } };
}
