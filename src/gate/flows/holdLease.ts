import { ClusterError, isClusterError } from '../../cluster/clusterError.js';
import { GateError } from '../../core/gateError.js';
import { fieldManager } from '../model/kinds.js';
import { type LeaseFacts, leaseName, leaseRef, microTime, readLease } from '../model/lease.js';
import { holderWords } from '../rules/lease.js';
import type { LeaseRequest } from './takeLease.js';

/** A Lease that is ours, and is renewed until it is released or lost. */
export interface HeldLease {
  /**
   * Ends when nobody else can have taken the Lease: at once while the last renewal is younger than its duration, else after
   * another one. Throws what kept that renewal from being made, or the loss.
   */
  assertHeld(): Promise<void>;
  /** Gives it up, if it is still ours. Never throws: what is not given up is taken over after its time. */
  release(): Promise<void>;
}

/** Renewals in one duration: two may fail before anybody may call us dead. */
const renewalsADuration = 3;

/**
 * Renews on a timer of this process, which it does not keep alive. `onLost` is called once, when somebody else holds the Lease or
 * it cannot be written any more; an API server that does not answer loses nothing, since then nobody can take it either.
 */
export function holdLease(
  taken: LeaseFacts,
  request: Omit<LeaseRequest, 'deadline' | 'progress' | 'clock'>,
  onLost: (error: GateError) => void,
): HeldLease {
  const { cluster, namespace, self, durationSeconds, layer } = request;
  const ref = leaseRef(namespace);
  let { resourceVersion } = taken;
  let renewed = moment();
  let lost: GateError | undefined;
  let released = false;
  let underWay: Promise<void> | undefined;

  const lose = (why: string): GateError => {
    clearInterval(timer);
    const message = `Lease ${namespace}/${leaseName} is not ours any more: ${why}; nothing more is changed by this run: run again when no other gate is under way`;
    lost = new GateError({ layer, code: 'gate.lease-lost', message, retryable: true });
    onLost(lost);
    return lost;
  };
  const write = async (spec: Readonly<Record<string, unknown>>) => {
    const start = moment();
    const patch = { metadata: { resourceVersion }, spec };
    const object = await cluster.patch(ref, patch, { type: 'merge', fieldManager });
    ({ resourceVersion } = readLease(object));
    renewed = start;
  };
  /** A write of ours that timed out may have been carried out, and others may label the object: what counts is whose it is. */
  const rereadOwn = async (): Promise<void> => {
    const read = await cluster.get(ref);
    if (read.kind === 'unreadable')
      throw new ClusterError({ code: 'unreachable', message: read.reason, retryable: true });
    if (read.kind === 'absent') throw lose('it was deleted');
    const now = readLease(read.value);
    if (now.identity !== self) throw lose(`${now.identity === '' ? 'somebody' : holderWords(now)} took it`);
    ({ resourceVersion } = now);
    await write({ renewTime: microTime(new Date()) });
  };
  const renew = async (): Promise<void> => {
    try {
      await write({ renewTime: microTime(new Date()) });
    } catch (error) {
      if (!isClusterError(error) || error.retryable) throw error;
      if (error.code !== 'conflict' && error.code !== 'not-found') throw lose(error.message);
      await rereadOwn();
    }
  };
  /** One at a time: two of ours would be each other's conflict. */
  const renewOnce = (): Promise<void> => {
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const timer = setInterval(
    () => {
      // What failed for now is tried at the next tick, and by whoever asks before that.
      if (lost === undefined && !released) renewOnce().catch(() => {});
    },
    (durationSeconds * 1000) / renewalsADuration,
  );
  timer.unref();

  return {
    async assertHeld() {
      if (lost === undefined && secondsSince(renewed) >= durationSeconds) await renewOnce();
      if (lost !== undefined) throw lost;
    },
    async release() {
      if (released) return;
      released = true;
      clearInterval(timer);
      await underWay?.catch(() => {});
      // Bound to what was last ours: another's stays.
      await write({ holderIdentity: null }).catch(() => {});
    },
  };
}

interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

function moment(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** By the clock that says more: the monotonic one (Linux) stands still while the machine sleeps, and others' does not. */
function secondsSince(then: Moment): number {
  const now = moment();
  return Math.max(now.monotonicMs - then.monotonicMs, now.wallMs - then.wallMs) / 1000;
}
