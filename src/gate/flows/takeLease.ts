import type { Cluster } from '../../cluster/cluster.js';
import type { KubeObject } from '../../cluster/objects.js';
import { type Clock, type Deadline, systemClock } from '../../core/deadline.js';
import { GateError, type Layer } from '../../core/gateError.js';
import { ready, type Verdict, waiting } from '../../core/verdict.js';
import { processLife } from '../../host/processRecord.js';
import { fieldManager, kinds } from '../model/kinds.js';
import { type LeaseFacts, leaseName, leaseRef, microTime, readLease } from '../model/lease.js';
import { judgeLease, type LeaseOpening, type LeaseSight } from '../rules/lease.js';
import { mutate, readUntilAnswered } from './persist.js';

export interface LeaseRequest {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Our holder identity. */
  readonly self: string;
  /** After which an unrenewed Lease may be taken over by others. */
  readonly durationSeconds: number;
  readonly layer: Layer;
  readonly deadline: Deadline;
  readonly progress: (line: string) => void;
  /** Times how long another's Lease stays as it is. Default: this process' monotonic clock. */
  readonly clock?: Clock;
}

/**
 * Takes the Lease that keeps two gates of one namespace apart, and returns it as it was written. Each write is bound to what was read:
 * of two that try at once, one is refused and looks again. Throws `GateError` `gate.lease-held`, retryable: at once when the
 * holder's process lives on this machine, else as soon as it is seen to renew.
 */
export async function takeLease(request: LeaseRequest): Promise<LeaseFacts> {
  for (;;) {
    const opening = await awaitOpening(request);
    const taken = await write(request, opening);
    if (taken === undefined) continue;
    if (opening.how === 'update' && opening.lease.identity !== '' && opening.lease.identity !== request.self)
      request.progress(`took over Lease ${request.namespace}/${leaseName}: ${opening.why}`);
    return taken;
  }
}

/** Looks once, without waiting: what a gate that has not begun can know. Undefined when only watching would tell. */
export async function lookAtLease(
  request: Pick<LeaseRequest, 'cluster' | 'namespace' | 'self' | 'layer' | 'deadline'>,
): Promise<Verdict<LeaseOpening>> {
  const { namespace, self } = request;
  const lease = await readNow(request);
  const life = await lifeOf(lease);
  return judgeLease({ namespace, self, lease, life, unchangedSeconds: 0, renewalSeen: false });
}

/**
 * How the Lease may be taken, without taking it: at once, or after it was watched. Throws `GateError` `gate.lease-held` as
 * {@link takeLease} does.
 */
export async function awaitOpening(request: Omit<LeaseRequest, 'durationSeconds'>): Promise<LeaseOpening> {
  const first = await lookAtLease(request);
  if (first.kind === 'ready') return first.facts;
  if (first.kind === 'failed') throw held(request.layer, first.code, first.detail);
  const { cluster, namespace, deadline, layer, progress } = request;
  const store = cluster.watch([{ kind: kinds.lease, namespace }]);
  try {
    await store.ready(deadline, layer);
    const judge = judgeWatched(request);
    const verdict = await store.until(
      (view) => {
        const read = view.get(leaseRef(namespace));
        if (read.kind === 'unreadable') return waiting('gate.lease-held', read.reason);
        const now = judge(read.kind === 'found' ? readLease(read.value) : undefined);
        // Thrown by us below, so that it can say that a later run may succeed.
        return now.kind === 'waiting' ? now : ready(now);
      },
      { deadline, layer, onProgress: progress, everySeconds: 1 },
    );
    if (verdict.kind === 'failed') throw held(layer, verdict.code, verdict.detail);
    // What was seen is old by the time it is acted on: the write says whether it still holds.
    return verdict.facts;
  } finally {
    await store.close();
  }
}

/** Judges one moment after another: how long the Lease stayed as it is is ours to know, by our own clock. */
function judgeWatched({ namespace, self, clock = systemClock }: Pick<LeaseRequest, 'namespace' | 'self' | 'clock'>) {
  let seen: { readonly identity: string; readonly renewTime: string; readonly atMs: number } | undefined;
  return (lease: LeaseFacts | undefined) => {
    const now = clock.now();
    const { identity = '', renewTime = '' } = lease ?? {};
    const renewalSeen = seen?.identity === identity && seen.renewTime !== renewTime;
    if (seen?.identity !== identity) seen = { identity, renewTime, atMs: now };
    const unchangedSeconds = (now - seen.atMs) / 1000;
    const sight: LeaseSight = { namespace, self, lease, life: 'unknown', unchangedSeconds, renewalSeen };
    return judgeLease(sight);
  };
}

async function readNow(
  request: Pick<LeaseRequest, 'cluster' | 'namespace' | 'layer' | 'deadline'>,
): Promise<LeaseFacts | undefined> {
  const ref = leaseRef(request.namespace);
  const found = await readUntilAnswered(`Lease ${leaseName}`, () => request.cluster.get(ref), request);
  return found && readLease(found);
}

async function lifeOf(lease: LeaseFacts | undefined) {
  return lease?.holder === undefined ? 'unknown' : processLife(lease.holder.process);
}

/** Undefined when somebody else was faster. */
async function write(request: LeaseRequest, opening: LeaseOpening): Promise<LeaseFacts | undefined> {
  const { cluster, namespace, self } = request;
  const now = microTime(new Date());
  const ref = leaseRef(namespace);
  const times = { acquireTime: now, renewTime: now };
  const own = { holderIdentity: self, leaseDurationSeconds: request.durationSeconds, ...times };
  const act = (): Promise<KubeObject> => {
    if (opening.how === 'create') {
      const metadata = { name: ref.name, namespace, labels: { 'app.kubernetes.io/managed-by': 'raygate' } };
      const { apiVersion, kind } = ref;
      return cluster.create({ apiVersion, kind, metadata, spec: { ...own, leaseTransitions: 0 } }, { fieldManager });
    }
    const { resourceVersion, transitions, identity } = opening.lease;
    const leaseTransitions = identity === self ? transitions : transitions + 1;
    const patch = { metadata: { resourceVersion }, spec: { ...own, leaseTransitions } };
    return cluster.patch(ref, patch, { type: 'merge', fieldManager });
  };
  try {
    return readLease(await mutate(`taking Lease ${leaseName}`, act, request));
  } catch (error) {
    // `mutate` gives a refusal its layer's code.
    const code = String((error as { code?: unknown }).code ?? '');
    const deleted = opening.how === 'update' && code.endsWith('not-found');
    if (deleted || /(?:^|\.)(?:already-exists|conflict)$/.test(code)) return undefined;
    throw error;
  }
}

function held(layer: Layer, code: string, message: string): GateError {
  return new GateError({ layer, code, message, retryable: true });
}
