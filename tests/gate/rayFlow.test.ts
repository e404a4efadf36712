import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { runRay } from '../../src/gate/flows/ray.js';
import { rayClusterObject, rayPodObject } from '../builders/objects.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

let stateFolder: string;
let cluster: FakeCluster;

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  cluster.put(rayClusterObject());
  cluster.put(rayPodObject('head-a', 'head'));
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  // Plays KubeRay: each pod that goes is followed by another one of its role.
  cluster.react((mutation) => {
    const name = /^remove v1\/Pod\/django-ray\/(\w+)-\w+$/.exec(mutation)?.[1];
    if (name === 'head') cluster.put(rayPodObject('head-new', 'head'));
    if (name === 'worker') cluster.put(rayPodObject(`${mutation.slice(-8)}2`, 'worker'));
  });
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

const context = (fields: Partial<Parameters<typeof stepContext>[0]> = {}) =>
  stepContext({ layer: 'ray', stateFolder, cluster, ...fields });
const removed = () => cluster.mutations.map((mutation) => mutation.split('/').at(-1));

describe('restarting Ray', () => {
  test('deletes the head first, then the workers, and proves that all pods are new', async () => {
    const facts = await runRay(context());
    expect(removed()[0]).toBe('head-a');
    expect(removed().slice(1).sort()).toEqual(['worker-a', 'worker-b']);
    expect(facts).toMatchObject({ restart: 'performed', clusterUid: 'cluster-uid', heads: 1, workers: 2 });
    expect([...facts.retiredUids].sort()).toEqual(['head-a-uid', 'worker-a-uid', 'worker-b-uid']);
    expect(facts.pods.map((pod) => pod.uid).filter((uid) => facts.retiredUids.includes(uid))).toEqual([]);
  });

  test('deletes no worker while the old head is still there: a new one would join it', async () => {
    cluster.linger('head-a');
    cluster.react((mutation) => {
      const name = mutation.split('/').at(-1) ?? '';
      if (name.startsWith('worker')) cluster.put(rayPodObject(`${name}2`, 'worker'));
    });
    const running = context();
    const done = runRay(running);
    await vi.waitFor(() => expect(running.lines).toContain('old head-a still there'));
    expect(removed()).toEqual(['head-a']);
    cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'head-a', namespace: 'django-ray' });
    cluster.put(rayPodObject('head-new', 'head'));
    await done;
    expect([...removed()].sort()).toEqual(['head-a', 'worker-a', 'worker-b']);
  });

  test('is not repeated by a second go at the same run, which proves the same pods', async () => {
    const first = await runRay(context());
    const count = cluster.mutations.length;
    const second = await runRay(context());
    expect(cluster.mutations).toHaveLength(count);
    expect(second).toEqual(first);
  });

  test('goes on where a kill interrupted it: what was to go still goes, what is new stays', async () => {
    const interrupted = context();
    await interrupted.run.writeMark('ray-restart', {
      clusterUid: 'cluster-uid',
      retired: [
        { name: 'head-gone', uid: 'head-gone-uid', role: 'head' },
        { name: 'worker-a', uid: 'worker-a-uid', role: 'worker:worker-group' },
      ],
    });
    await runRay(interrupted);
    expect(removed()).toEqual(['worker-a']);
  });

  test('leaves a pod alone that has taken the name of a verified one', async () => {
    const marked = context();
    await marked.run.writeMark('ray-restart', {
      clusterUid: 'cluster-uid',
      retired: [{ name: 'worker-a', uid: 'of-another-life', role: 'worker:worker-group' }],
    });
    await runRay(marked);
    expect(removed()).toEqual([]);
  });

  test('outlasts an API server that is away', async () => {
    cluster.failNext(
      'remove',
      new ClusterError({ code: 'unreachable', message: 'connection refused', retryable: true }),
    );
    expect(await runRay(context())).toMatchObject({ restart: 'performed' });
  });

  test('that was not asked for deletes nothing', async () => {
    const skipping = context();
    const facts = await runRay({
      ...skipping,
      plan: { ...skipping.plan, ray: { ...skipping.plan.ray, restart: 'skip' } },
    });
    expect(cluster.mutations).toEqual([]);
    expect(facts).toMatchObject({ restart: 'skipped-by-explicit-trigger-choice', retiredUids: [] });
  });

  test('deletes nothing when one pod is not ours', async () => {
    const foreign = rayPodObject('worker-x', 'worker');
    cluster.put({ ...foreign, metadata: { ...foreign.metadata, ownerReferences: [] } });
    await expect(runRay(context())).rejects.toMatchObject({ layer: 'ray', code: 'ray.pod-not-owned' });
    expect(cluster.mutations).toEqual([]);
  });

  test('of an operator that is not known is refused', async () => {
    const unknown = context();
    const plan = { ...unknown.plan, ray: { ...unknown.plan.ray, operatorVersion: '9.9.9' } };
    await expect(runRay({ ...unknown, plan })).rejects.toMatchObject({ code: 'ray.operator-unsupported' });
  });
});
