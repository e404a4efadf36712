import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runImageIdentity } from '../../src/gate/flows/imageIdentity.js';
import { wantedLabels } from '../../src/gate/flows/images.js';
import type { Facts } from '../../src/gate/model/observation.js';
import type { StepLayer } from '../../src/gate/model/plan.js';
import { digestOf, localImage } from '../builders/images.js';
import { podObject, rayClusterObject, rayPodObject, setupObjects, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { appReference, runPlan, stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker, savedConfig } from '../fakes/docker.js';

const rayReference = 'rayproject/ray:2.60.0-py313';
const labels = wantedLabels(runPlan('/nowhere'));
let stateFolder: string;
let cluster: FakeCluster;
let restorePath: () => void;

const context = (platform = 'docker-desktop') =>
  stepContext({ layer: 'image-identity', stateFolder, cluster, plan: { platform } });
const docker = async (ids: Readonly<Record<string, string>>, broken: Readonly<Record<string, string>> = {}) => {
  restorePath?.();
  restorePath = await fakeDocker(join(stateFolder, 'bin'), ids, { labels, broken });
};
const node = (containerRuntimeVersion: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${containerRuntimeVersion}` },
  status: { nodeInfo: { containerRuntimeVersion } },
});
const observe = <L extends StepLayer>(layer: L, facts: Facts[L]) =>
  context().run.writeObservation({
    schema: 'raygate.observation/1',
    layer,
    runId: 'run-1',
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 1,
    facts,
  });

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), ...setupObjects(), ...webObjects()])
    cluster.put(object);
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  cluster.put(node('docker://29.0.0'));
  const built = { ...localImage(appReference, { id: digestA, config: digestB, manifest: undefined }), built: true };
  const app = { ...built, configLabels: labels };
  await observe('images', { app, legacy: app });
  await observe('ray', {
    restart: 'performed',
    retiredUids: [],
    clusterUid: 'cluster-uid',
    pods: [],
    heads: 1,
    workers: 2,
    podsSha256: '',
  });
  await docker({ [appReference]: digestA, [rayReference]: digestA });
});
afterEach(async () => {
  restorePath();
  await rm(stateFolder, { recursive: true, force: true });
});

describe('the image-identity layer', { timeout: 30_000 }, () => {
  test('resolves every reference that a container runs, third parties too, and records all of it', async () => {
    const facts = await runImageIdentity(context());
    expect(facts).toMatchObject({
      sharedStore: true,
      runtimes: ['docker://29.0.0'],
      labels,
      supporting: [],
      setupPod: { name: 'django-setup-1', owner: 'Job django-setup (job-uid)' },
    });
    expect(facts.images).toEqual([
      {
        reference: 'docker.io/library/django-ray:tree-1',
        origin: 'release',
        local: { id: digestA, index: undefined, manifest: undefined, config: digestB, repoDigests: [] },
        runs: [{ digest: digestA, is: 'id' }],
        containers: ['django-setup-1/django-setup', 'web-new-1/web'],
      },
      {
        reference: `docker.io/${rayReference}`,
        origin: 'third-party',
        // Docker saves the image without the index that its Id is of.
        local: {
          id: digestA,
          index: digestA,
          manifest: undefined,
          config: savedConfig(rayReference, labels),
          repoDigests: [],
        },
        runs: [{ digest: digestA, is: 'index' }],
        containers: [
          'head-a/ray-head',
          'worker-a/ray-worker',
          'worker-a/wait-gcs-ready',
          'worker-b/ray-worker',
          'worker-b/wait-gcs-ready',
        ],
      },
    ]);
  });

  test('refuses a Ray image other than the one that the shared store has', async () => {
    await docker({ [appReference]: digestA, [rayReference]: digestOf('7') });
    await expect(runImageIdentity(context())).rejects.toMatchObject({
      layer: 'image-identity',
      code: 'image-identity.substituted',
    });
  });

  test.each([
    ['another containerd', 'docker-desktop', 'containerd://2.1.0', false],
    ['the containerd of the lab', 'lab', 'containerd://2.3.5', true],
  ])('takes %s for what it is', async (_, platform, runtime, sharedStore) => {
    cluster.drop({ apiVersion: 'v1', kind: 'Node', name: 'node-docker://29.0.0' });
    cluster.put(node(runtime));
    expect(await runImageIdentity(context(platform))).toMatchObject({ sharedStore, runtimes: [runtime] });
  });

  test('one node with a store of its own is enough', async () => {
    cluster.put(node('containerd://2.1.0'));
    expect(await runImageIdentity(context())).toMatchObject({ sharedStore: false });
  });

  test('refuses a substitute that a pod runs under the right name', async () => {
    const [, , pod] = webObjects();
    const status = pod?.['status'] as { containerStatuses: object[] };
    const containerStatuses = [{ ...status.containerStatuses[0], imageID: `docker://${digestOf('7')}` }];
    cluster.put({ ...podObject('web-new-1'), ...pod, status: { ...status, containerStatuses } });
    await expect(runImageIdentity(context())).rejects.toMatchObject({ code: 'image-identity.substituted' });
  });

  test('a store that does not answer is unreadable, and not without the image', async () => {
    await docker({ [appReference]: digestA }, { [rayReference]: 'Cannot connect to the Docker daemon' });
    await expect(runImageIdentity(context())).rejects.toMatchObject({
      code: 'image-identity.docker-unreadable',
      retryable: true,
      message: expect.stringContaining('Cannot connect'),
    });
  });

  test('waits for what is not Ready yet', async () => {
    const head = rayPodObject('head-a', 'head');
    cluster.put({ ...head, status: { ...(head['status'] as object), conditions: [] } });
    setTimeout(() => cluster.put(head), 100);
    expect(await runImageIdentity(context())).toMatchObject({ sharedStore: true });
  });
});
