import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { holdLease } from '../../src/gate/flows/holdLease.js';
import { takeLease } from '../../src/gate/flows/takeLease.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { leaseRef, microTime, readLease } from '../../src/gate/model/lease.js';
import { ownProcess, processStart } from '../../src/host/processRecord.js';
import { elsewhere, holderOf } from '../builders/lease.js';
import { type RealCluster, realKubeconfig } from './support/realKubeconfig.js';

const namespace = 'raygate-lease-contract';
const ref = leaseRef(namespace);
const write = { fieldManager: 'raygate-contract' };
let real: RealCluster;
let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  real = await realKubeconfig();
  folder = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
  cluster = await openCluster(await takeSnapshot({ kubeconfigPath: real.path, directory: folder }));
  await cluster.waitReachable(deadlineIn(60));
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, write);
});
afterAll(async () => {
  await cluster?.remove({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  await cluster?.close();
  await real?.release();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => void (await cluster.remove(ref)));

const request = (self: string, seconds = 20) => ({
  cluster,
  namespace,
  self,
  durationSeconds: 3,
  layer: 'images' as const,
  deadline: deadlineIn(seconds),
  progress: () => {},
});
const ours = async (runId: string) => holderOf(await ownProcess(), runId, 'lab');
const live = async () => {
  const read = await cluster.get(ref);
  if (read.kind !== 'found') throw new Error(read.kind);
  return readLease(read.value);
};
/** A Lease that a gate on another machine left, or holds. */
const foreign = (identity = holderOf(elsewhere)) => {
  const now = microTime(new Date());
  const spec = { holderIdentity: identity, leaseDurationSeconds: 3, acquireTime: now, renewTime: now };
  return cluster.create({ ...kinds.lease, metadata: { name: ref.name, namespace }, spec }, write);
};

describe('the Lease on a real API server', () => {
  test('is made, renewed, and given up', async () => {
    const self = await ours('run-1');
    const given = request(self);
    const lost: string[] = [];
    const lease = holdLease(await takeLease(given), given, (error) => lost.push(error.message));
    const first = await live();
    expect(first).toMatchObject({ identity: self, durationSeconds: 3, transitions: 0 });
    await expect.poll(async () => (await live()).renewTime, { timeout: 5_000 }).not.toBe(first.renewTime);
    await lease.assertHeld();
    await lease.release();
    expect([(await live()).identity, lost]).toEqual(['', []]);
  });

  test('goes to one of many who ask at the same moment', async () => {
    const asked = Array.from({ length: 8 }, async (_, i) => takeLease(request(await ours(`run-${i}`))));
    const answers = await Promise.allSettled(asked);
    const refused = answers.filter((answer) => answer.status === 'rejected').map((answer) => answer.reason.code);
    expect(refused).toEqual(Array(7).fill('gate.lease-held'));
  });

  test('is refused at once while its holder lives on this machine', async () => {
    await takeLease(request(await ours('run-1')));
    const start = performance.now();
    await expect(takeLease(request(await ours('run-2')))).rejects.toMatchObject({
      code: 'gate.lease-held',
      message: expect.stringContaining(`run run-1 of stack lab, pid ${process.pid}`),
      retryable: true,
    });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test('is taken over at once from a killed process of this machine', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid as number;
    await foreign(holderOf({ ...(await ownProcess()), pid, start: (await processStart(pid)) ?? '' }));
    await expect(takeLease(request(await ours('run-2')))).rejects.toMatchObject({ code: 'gate.lease-held' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const start = performance.now();
    await takeLease(request(await ours('run-2')));
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(await live()).toMatchObject({ identity: await ours('run-2'), transitions: 1 });
  });

  test('is taken over from a silent holder elsewhere after its duration, not before', async () => {
    await foreign();
    const start = performance.now();
    await takeLease(request(await ours('run-2')));
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(2.9);
    expect(seconds).toBeLessThan(6);
  });

  test('is refused as soon as a holder elsewhere renews, and stays its own', async () => {
    await foreign();
    const renewing = setInterval(() => {
      const spec = { renewTime: microTime(new Date()) };
      void cluster.patch(ref, { spec }, { ...write, type: 'merge' });
    }, 500);
    try {
      await expect(takeLease(request(await ours('run-2')))).rejects.toMatchObject({ code: 'gate.lease-held' });
    } finally {
      clearInterval(renewing);
    }
    expect((await live()).identity).toBe(holderOf(elsewhere));
  });

  test('is lost to whoever took it, and is not written any more', async () => {
    const given = request(await ours('run-1'));
    const lost: string[] = [];
    const lease = holdLease(await takeLease(given), given, (error) => lost.push(error.code));
    const spec = { holderIdentity: holderOf(elsewhere) };
    await cluster.patch(ref, { spec }, { ...write, type: 'merge' });
    await expect.poll(() => lost, { timeout: 5_000 }).toEqual(['gate.lease-lost']);
    await expect(lease.assertHeld()).rejects.toMatchObject({ code: 'gate.lease-lost' });
    await lease.release();
    expect((await live()).identity).toBe(holderOf(elsewhere));
  });
});
