import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { type HeldLease, holdLease } from '../../src/gate/flows/holdLease.js';
import { checkLease } from '../../src/gate/flows/preflightLease.js';
import { type LeaseRequest, takeLease } from '../../src/gate/flows/takeLease.js';
import { leaseRef, readLease } from '../../src/gate/model/lease.js';
import { ownProcess } from '../../src/host/processRecord.js';
import { elsewhere, holderOf, leaseObject } from '../builders/lease.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const self = 'lab/20260102T000000Z-bbbbbbbb/1-2@3';
let cluster: FakeCluster;
let lines: string[];
let nowMs: number;
let held: HeldLease | undefined;

beforeEach(() => {
  cluster = fakeCluster();
  lines = [];
  nowMs = 0;
});
afterEach(() => held?.release());

const request = (fields: Partial<LeaseRequest> = {}): LeaseRequest => ({
  cluster,
  namespace: 'django-ray',
  self,
  durationSeconds: 30,
  layer: 'images',
  deadline: deadlineIn(5),
  progress: (line) => lines.push(line),
  clock: { now: () => nowMs },
  ...fields,
});
const live = async () => {
  const read = await cluster.get(leaseRef('django-ray'));
  if (read.kind !== 'found') throw new Error(read.kind);
  return read.value;
};
const spec = async () => (await live())['spec'] as Record<string, unknown>;
const refusal = (code: 'conflict' | 'already-exists' | 'not-found') =>
  new ClusterError({ code, message: code, status: code === 'not-found' ? 404 : 409 });
const unreachable = () => new ClusterError({ code: 'unreachable', message: 'away', retryable: true });
const touched = (object: KubeObject, resourceVersion: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});

describe('taking the Lease', () => {
  test('makes it where there is none', async () => {
    await takeLease(request());
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseDurationSeconds: 30, leaseTransitions: 0 });
    expect((await spec())['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('takes over a released one, and counts that', async () => {
    cluster.put(leaseObject('', { leaseTransitions: 4 }));
    await takeLease(request());
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseTransitions: 5 });
    expect(lines).toEqual([]);
  });

  test('takes over at once from a process that is gone on this machine, and says so', async () => {
    const dead = { ...(await ownProcess()), start: '1' };
    cluster.put(leaseObject(holderOf(dead)));
    await takeLease(request());
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseTransitions: 4 });
    expect(lines).toEqual([
      `took over Lease django-ray/raygate-gate: its holder, run 20260101T000000Z-aaaaaaaa of stack other, pid ${dead.pid}, is gone`,
    ]);
  });

  test('is refused at once while its process lives on this machine, and may be tried again', async () => {
    cluster.put(leaseObject(holderOf(await ownProcess())));
    await expect(takeLease(request())).rejects.toMatchObject({
      layer: 'images',
      code: 'gate.lease-held',
      retryable: true,
    });
    expect(cluster.mutations).toEqual([]);
  });

  test('is refused as soon as a holder elsewhere is seen to renew', async () => {
    cluster.put(leaseObject(holderOf(elsewhere)));
    const taking = takeLease(request());
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    cluster.put(leaseObject(holderOf(elsewhere), { renewTime: '2026-01-01T00:01:10.000000Z' }));
    await expect(taking).rejects.toMatchObject({ code: 'gate.lease-held', retryable: true });
    expect(cluster.mutations).toEqual([]);
  });

  test('takes over from a holder elsewhere after its duration by our own clock, whatever its times say', async () => {
    cluster.put(leaseObject(holderOf(elsewhere), { renewTime: '2020-01-01T00:00:00.000000Z' }));
    const taking = takeLease(request());
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    nowMs = 29_000;
    cluster.put(touched(await live(), '8'));
    expect(cluster.mutations).toEqual([]);
    nowMs = 30_000;
    cluster.put(touched(await live(), '9'));
    await taking;
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseTransitions: 4 });
  });

  test('begins to count again when the holder has become another', async () => {
    cluster.put(leaseObject(holderOf(elsewhere)));
    const taking = takeLease(request());
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    nowMs = 20_000;
    cluster.put(leaseObject(holderOf(elsewhere, '20260103T000000Z-cccccccc')));
    nowMs = 35_000;
    cluster.put(touched(await live(), '8'));
    expect(cluster.mutations).toEqual([]);
    nowMs = 50_000;
    cluster.put(touched(await live(), '9'));
    await taking;
  });

  test('looks again when another was faster, and is refused', async () => {
    cluster.failNext('create', refusal('already-exists'));
    const other = holderOf(await ownProcess());
    const taking = takeLease(request());
    cluster.put(leaseObject(other));
    await expect(taking).rejects.toMatchObject({ code: 'gate.lease-held' });
    expect((await spec())['holderIdentity']).toBe(other);
  });

  test('looks again when it changed or went away between look and write', async () => {
    cluster.put(leaseObject(''));
    cluster.failNext('patch', refusal('conflict'));
    cluster.failNext('patch', refusal('not-found'));
    await takeLease(request());
    expect((await spec())['holderIdentity']).toBe(self);
  });

  test('a create that was carried out although no answer came is ours', async () => {
    cluster.failNext('create', unreachable(), true);
    await takeLease(request());
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseTransitions: 0 });
  });

  test('ends with the deadline when nothing can be said of the holder', async () => {
    cluster.put(leaseObject(holderOf(elsewhere)));
    await expect(takeLease(request({ deadline: deadlineIn(0.1) }))).rejects.toMatchObject({ retryable: true });
  });
});

describe('a run that has not begun', () => {
  const check = (preview: boolean, seconds = 5) =>
    checkLease('django-ray', { layer: 'preflight', cluster, deadline: deadlineIn(seconds) }, preview);

  test.each([true, false])('is refused beside one that lives on this machine (preview: %s)', async (preview) => {
    cluster.put(leaseObject(holderOf(await ownProcess())));
    await expect(check(preview)).rejects.toMatchObject({
      layer: 'preflight',
      code: 'gate.lease-held',
      retryable: true,
    });
  });

  test('is not kept waiting in a preview by one that nobody can look at', async () => {
    cluster.put(leaseObject(holderOf(elsewhere)));
    await check(true);
  });

  test('waits in an up until that one is known to be dead', async () => {
    cluster.put(leaseObject(holderOf(elsewhere), { leaseDurationSeconds: 1 }));
    const start = performance.now();
    await check(false);
    expect(performance.now() - start).toBeGreaterThan(900);
  });

  test('leaves the Lease to its first step', async () => {
    cluster.put(leaseObject(''));
    await check(false);
    expect(cluster.mutations).toEqual([]);
  });
});

describe('holding the Lease', () => {
  const lost: string[] = [];
  const hold = async (durationSeconds = 30) => {
    lost.length = 0;
    const given = request({ durationSeconds });
    held = holdLease(await takeLease(given), given, (error) => lost.push(error.code));
    return held;
  };
  const stolen = async () => {
    const now = await live();
    cluster.put(touched({ ...now, spec: { ...(now['spec'] as object), holderIdentity: holderOf(elsewhere) } }, '99'));
  };

  test('renews it three times in a duration', async () => {
    await hold(0.3);
    await vi.waitFor(() => expect(cluster.mutations.length).toBeGreaterThanOrEqual(4), { timeout: 1_000 });
    expect(await spec()).toMatchObject({ holderIdentity: self, leaseTransitions: 0 });
    expect(lost).toEqual([]);
  });

  test('asks the API server for nothing while the last renewal is young', async () => {
    const lease = await hold();
    await lease.assertHeld();
    expect(cluster.mutations).toHaveLength(1);
  });

  test('renews once after a sleep of the machine, not at each question', async () => {
    const lease = await hold(60);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await lease.assertHeld();
    await lease.assertHeld();
    vi.restoreAllMocks();
    expect(cluster.mutations).toHaveLength(2);
  });

  test('says what kept it from renewing when it cannot know whether it is still its own', async () => {
    const lease = await hold(60);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000); // the machine slept
    cluster.failNext('patch', unreachable());
    await expect(lease.assertHeld()).rejects.toMatchObject({ code: 'unreachable', retryable: true });
    vi.restoreAllMocks();
    expect(lost).toEqual([]);
  });

  test('is lost, once and for good, when another took it', async () => {
    const lease = await hold(0.3);
    await stolen();
    await vi.waitFor(() => expect(lost).toEqual(['gate.lease-lost']));
    await expect(lease.assertHeld()).rejects.toMatchObject({
      code: 'gate.lease-lost',
      message: expect.stringContaining('run 20260101T000000Z-aaaaaaaa of stack other, pid 4711 took it'),
      retryable: true,
    });
    const before = cluster.mutations.length;
    await new Promise((done) => setTimeout(done, 250));
    expect([cluster.mutations.length, lost]).toEqual([before, ['gate.lease-lost']]);
  });

  test('is lost when it was deleted', async () => {
    await hold(0.3);
    cluster.drop(leaseRef('django-ray'));
    await vi.waitFor(() => expect(lost).toEqual(['gate.lease-lost']));
  });

  test('is lost when it may not be written any more', async () => {
    await hold(0.3);
    cluster.failNext('patch', new ClusterError({ code: 'forbidden', message: 'no', status: 403 }));
    await vi.waitFor(() => expect(lost).toEqual(['gate.lease-lost']));
  });

  test('stays ours when somebody labels it, and when a renewal was carried out without an answer', async () => {
    await hold(0.3);
    cluster.put(touched(await live(), '50'));
    cluster.failNext('patch', unreachable(), true);
    await vi.waitFor(async () => expect(Number(readLease(await live()).resourceVersion)).toBeGreaterThan(52));
    expect(lost).toEqual([]);
    expect((await spec())['holderIdentity']).toBe(self);
  });

  test('is given up at the end, and not renewed after that', async () => {
    const lease = await hold(0.3);
    await lease.release();
    const before = cluster.mutations.length;
    await new Promise((done) => setTimeout(done, 250));
    expect([(await spec())['holderIdentity'], cluster.mutations.length]).toEqual([undefined, before]);
  });

  test('is left alone at the end when it is another gate’s', async () => {
    const lease = await hold(30);
    await stolen();
    await lease.release();
    expect((await spec())['holderIdentity']).toBe(holderOf(elsewhere));
  });
});
