import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/cluster/objects.js';
import { runAppConvergence } from '../../src/gate/flows/appConvergence.js';
import { webObjects } from '../builders/objects.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { provenImages } from '../fakes/provenImages.js';

let stateFolder: string;
let cluster: FakeCluster;
const context = () =>
  stepContext({ layer: 'app-convergence', stateFolder, cluster, plan: { deadlines: { stuck: 0.1 } } });

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  for (const object of webObjects()) cluster.put(object);
  await provenImages(context());
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

/** The web pod with other metadata and status. */
function changedPod(metadata: object, status: object = {}): KubeObject {
  const pod = webObjects().at(-1) as KubeObject;
  return { ...pod, metadata: { ...pod.metadata, ...metadata }, status: { ...(pod['status'] as object), ...status } };
}

describe('waiting for the application', () => {
  test('ends with what runs', async () => {
    const { deployments } = await runAppConvergence(context());
    expect(deployments.map(({ name, pods }) => `${name} ${pods.map((pod) => pod.name)}`)).toEqual(['web web-new-1']);
  });

  test("ends with the scheduler's words when a pod has no node for too long", async () => {
    const message = '0/1 nodes are available: 1 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    const unschedulable = changedPod({}, { phase: 'Pending', conditions, containerStatuses: [] });
    cluster.put(unschedulable);
    const waiting = runAppConvergence(context());
    const seen = expect(waiting).rejects.toMatchObject({
      code: 'app-convergence.unschedulable',
      message: expect.stringMatching(/^pod web-new-1 has had no node for 0 s: 0\/1 nodes are available/),
    });
    await pause(150);
    cluster.put(unschedulable);
    await seen;
  });

  test('ends with the finalizer that holds a pod beyond its time', async () => {
    const held = changedPod({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    cluster.put(held);
    const waiting = runAppConvergence(context());
    const seen = expect(waiting).rejects.toMatchObject({
      code: 'app-convergence.stuck-terminating',
      message: 'pod web-new-1 has been terminating for 0 s, held by finalizer example.com/hold',
    });
    await pause(150);
    cluster.put(held);
    await seen;
  });
});
