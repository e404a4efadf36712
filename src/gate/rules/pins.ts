import { failed, ready, type Verdict } from '../../core/verdict.js';
import type { PinnedKind, PinnedObject, PinnedPod, PinSet } from '../model/pins.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import { digestOfImageId } from './imageReference.js';

/** What a pin is compared with, of any kind. */
export interface ObjectFacts {
  readonly name: string;
  readonly uid: string;
  readonly terminating: boolean;
  readonly ownerUid: string | undefined;
  /** `spec.replicas`, where the kind has it. */
  readonly replicas: number;
}

/** One moment of the namespace; a kind that cannot be read just now is undefined, and nothing is said of it. */
export interface PinReading {
  readonly pods: readonly PodFacts[] | undefined;
  readonly objects: Readonly<Record<PinnedKind, readonly ObjectFacts[] | undefined>>;
}

/** Whether everything that was proven is still the very same: UIDs, owners, images, restarts, and nobody new beside it. */
export function judgePins(reading: PinReading, pins: PinSet): Verdict {
  for (const pin of pins.objects) {
    const live = reading.objects[pin.kind];
    const change = live && objectChange(pin, live);
    if (change !== undefined) return changed(pin, change);
  }
  for (const set of reading.objects.ReplicaSet ?? []) {
    const deployment = pins.objects.find((pin) => pin.kind === 'Deployment' && pin.uid === set.ownerUid);
    const isProven = pins.objects.some((pin) => pin.uid === set.uid);
    // Spent ones, of earlier rollouts, were there before.
    if (deployment && !isProven && set.replicas > 0)
      return changed(deployment, `Deployment ${deployment.name} rolls out ReplicaSet ${set.name}`);
  }
  const { pods } = reading;
  if (pods === undefined) return ready({});
  for (const pin of pins.pods) {
    const change = podChange(pin, pods);
    if (change !== undefined) return changed(pin, change);
  }
  for (const pod of pods) {
    const owner = controllerOf(pod.owners);
    const sibling = pins.pods.find((pin) => pin.ownerUid === owner?.uid);
    if (sibling && !pins.pods.some((pin) => pin.identity.uid === pod.uid))
      return changed(sibling, `pod ${pod.name} (${pod.uid}) of ${owner?.kind} ${owner?.name} is new`);
  }
  return ready({});
}

function changed({ since }: { readonly since: string }, what: string): Verdict {
  return failed(
    'watch.identity-changed',
    `Since layer ${since} proved it, ${what}: this run can prove nothing more; run again, which begins a new one.`,
  );
}

function objectChange(pin: PinnedObject, live: readonly ObjectFacts[]): string | undefined {
  const { kind, name, uid } = pin;
  const now = live.find((candidate) => candidate.name === name);
  if (now === undefined) return `${kind} ${name} (${uid}) is gone`;
  if (now.uid !== uid) return `${kind} ${name} has UID ${now.uid} instead of ${uid}`;
  if (now.terminating) return `${kind} ${name} is being deleted`;
  if (now.ownerUid !== pin.ownerUid)
    return `${kind} ${name} is controlled by ${now.ownerUid ?? 'nobody'} instead of ${pin.ownerUid ?? 'nobody'}`;
  return undefined;
}

function podChange({ identity, ownerUid }: PinnedPod, pods: readonly PodFacts[]): string | undefined {
  const { name, uid } = identity;
  const now = pods.find((candidate) => candidate.uid === uid);
  if (now === undefined) return `pod ${name} (${uid}) is gone`;
  if (now.terminating) return `pod ${name} is being deleted`;
  const owner = controllerOf(now.owners)?.uid;
  if (owner !== ownerUid) return `pod ${name} is controlled by ${owner ?? 'nobody'} instead of ${ownerUid}`;
  if (now.ephemeralContainers > 0) return `pod ${name} has an ephemeral container`;
  const statuses = [...now.initStatuses, ...now.statuses];
  const proven = [...identity.initContainers, ...identity.containers];
  for (const container of proven) {
    const status = statuses.find((candidate) => candidate.name === container.name);
    // A status that is not there says nothing, one with another image says all.
    if (status === undefined || status.imageId === '') continue;
    const digest = digestOfImageId(status.imageId);
    if (digest !== container.imageDigest)
      return `container ${container.name} of pod ${name} runs ${digest ?? status.imageId} instead of ${container.imageDigest}`;
  }
  const restarts = statuses.reduce((sum, status) => sum + status.restartCount, 0);
  const isWhole = proven.every((container) => statuses.some((status) => status.name === container.name));
  return isWhole && restarts !== identity.restarts
    ? `a container of pod ${name} restarted (${identity.restarts} -> ${restarts})${exitWords(now)}`
    : undefined;
}

function exitWords({ initStatuses, statuses }: PodFacts): string {
  const last = [...initStatuses, ...statuses].find((status) => status.lastTerminated)?.lastTerminated;
  return last === undefined ? '' : ` after exit code ${last.exitCode} ${last.reason}`.trimEnd();
}
