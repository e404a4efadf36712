import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { decideRun } from '../../src/gate/flows/decideRun.js';
import { digestsOf } from '../../src/gate/flows/digests.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { readClaims, readSecretDigest } from '../../src/gate/flows/preserved.js';
import { wholeReading } from '../../src/gate/flows/readings.js';
import { evidencePath, runFolder, writeJson } from '../../src/gate/flows/stateFolder.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { podObject, rayClusterObject, rayPodObject, setupObjects, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { claimObject, secretObject } from '../builders/preserved.js';
import { appReference, runPlan } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker } from '../fakes/docker.js';

let stateFolder: string;
let cluster: FakeCluster;
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

const plan = () => runPlan(stateFolder);
const decide = () => decideRun(plan(), { layer: 'preflight', deadline: deadlineIn(30), cluster });
const started = (runId: string, fingerprint = plan().fingerprint) =>
  runFolder(stateFolder, runId).writeMark('started', { fingerprint });
const evidence = (fields: object = {}) =>
  writeJson(evidencePath(stateFolder), {
    schema: 'raygate.evidence/2',
    runId: '20260101T000000Z-a',
    fingerprint: plan().fingerprint,
    source: plan().source,
    ...fields,
  });

describe('which run an up is', () => {
  test('a new one when nothing was proven yet', async () => {
    expect(await decide()).toMatchObject({
      kind: 'new',
      why: 'nothing was proven yet',
      runId: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/),
    });
  });

  test('the unfinished one of the same plan', async () => {
    await started('20260101T000000Z-a');
    expect(await decide()).toEqual({ kind: 'continued', runId: '20260101T000000Z-a' });
  });

  test('a new one when the unfinished one was of another plan', async () => {
    await started('20260101T000000Z-a', 'other');
    expect(await decide()).toMatchObject({ kind: 'new' });
  });

  test('a new one when the unfinished one is void: what it proved no longer holds', async () => {
    await started('20260101T000000Z-a');
    await runFolder(stateFolder, '20260101T000000Z-a').writeMark('void', { reason: 'x' });
    expect(await decide()).toMatchObject({ kind: 'new' });
  });

  test('the unfinished one that is newer than the last evidence', async () => {
    await started('20260101T000000Z-a');
    await evidence();
    await started('20260102T000000Z-b');
    expect(await decide()).toEqual({ kind: 'continued', runId: '20260102T000000Z-b' });
  });

  test.each([
    ['the tree has changed', { fingerprint: 'x', source: { tree: '9' } }, 'the source tree has changed'],
    ['what is deployed has changed', { fingerprint: 'x' }, 'what is deployed, or where, has changed'],
    ['the evidence has another form', { schema: 'x' }, 'the last evidence has another form'],
  ])('a new one when %s', async (_, fields, why) => {
    await started('20260101T000000Z-a');
    await evidence(fields);
    expect(await decide()).toMatchObject({ kind: 'new', why });
  });
});

describe('whether the last proof still holds', { timeout: 30_000 }, () => {
  const app = {
    reference: appReference,
    id: digestA,
    config: digestA,
    tags: [],
    labels: {},
    sizeBytes: 1,
    repoDigests: [],
    configLabels: {},
    index: undefined,
    manifest: undefined,
  };
  const legacy = { ...app, reference: 'django-ray-worker:tree-1', id: digestB };
  let restorePath: () => void;

  beforeEach(async () => {
    restorePath = await fakeDocker(join(stateFolder, 'bin'), {
      [app.reference]: app.id,
      [legacy.reference]: legacy.id,
    });
    for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), rayPodObject('worker-a', 'worker')])
      cluster.put(object);
    for (const object of [rayPodObject('worker-b', 'worker'), ...setupObjects(), ...webObjects()]) cluster.put(object);
    const live = judgeLiveIdentity(wholeReading(cluster.watch([]).view()), plan(), {
      digests: digestsOf(app),
      rayClusterUid: 'cluster-uid',
    });
    if (live.kind !== 'ready') throw new Error(live.detail);
    cluster.put(claimObject('postgres-pvc'));
    cluster.put(secretObject());
    const run = runFolder(stateFolder, '20260101T000000Z-a');
    await run.writeMark('digest-key', { key: 'k' });
    const persist = { layer: 'preflight', deadline: deadlineIn(5), cluster } as const;
    const after = { claims: await readClaims(persist), secret: await readSecretDigest(persist, 'k') };
    const observations = {
      images: { facts: { app, legacy } },
      setup: { facts: { result: { sourceTree: plan().source.tree } } },
      'final-identity': { facts: { after } },
    };
    await evidence({ finishedAt: '2026-01-01T00:00:00Z', identity: live.facts, observations });
  });
  afterEach(() => restorePath());

  const pod = (name: string) => ({ ...kinds.pod, name, namespace: 'django-ray' });

  test('it does while everything lives that was proven', async () => {
    expect(await decide()).toMatchObject({
      kind: 'still-proven',
      runId: '20260101T000000Z-a',
      since: '2026-01-01T00:00:00Z',
    });
  });

  test.each([
    [
      'a Ray pod was replaced',
      () => {
        cluster.drop(pod('worker-b'));
        cluster.put(rayPodObject('worker-c', 'worker'));
      },
      'pod worker-b: gone (pinned by run 20260101T000000Z-a)',
    ],
    [
      'the setup Job was replaced',
      () => {
        for (const object of setupObjects('other')) cluster.put(object);
      },
      'Job django-setup: uid job-uid -> other',
    ],
    [
      'the Secret was changed',
      () => cluster.put(secretObject({ DJANGO_API_TOKEN: 'b3RoZXI=' })),
      'Secret django-ray-secret: data digest',
    ],
    [
      'a claim was replaced',
      () => cluster.put(claimObject('postgres-pvc', 'other')),
      'PersistentVolumeClaim postgres-pvc: uid postgres-pvc-uid -> other',
    ],
    ['the pod of the setup Job is gone', () => cluster.drop(pod('django-setup-1')), 'pod django-setup-1: gone'],
    [
      'there is a worker too many',
      () => cluster.put(rayPodObject('worker-c', 'worker')),
      'worker:worker-group has 3 pods instead of 2',
    ],
    [
      'a pod in our labels is not ours',
      () =>
        cluster.put(
          podObject('stray', { labels: { app: 'django-ray', component: 'web' }, status: { phase: 'Running' } }),
        ),
      'Pod stray carries the labels',
    ],
  ])('it does not when %s', async (_, change, why) => {
    change();
    expect(await decide()).toMatchObject({ kind: 'new', why: expect.stringContaining(why) });
  });

  test('it does not when an image of it is gone', async () => {
    restorePath();
    restorePath = await fakeDocker(join(stateFolder, 'bin'), { [app.reference]: app.id });
    expect(await decide()).toMatchObject({ kind: 'new', why: 'the image django-ray-worker:tree-1 is gone' });
  });

  test('it does not when an image of it is another one', async () => {
    restorePath();
    restorePath = await fakeDocker(join(stateFolder, 'bin'), { [app.reference]: digestB });
    expect(await decide()).toMatchObject({ kind: 'new', why: 'the image django-ray:tree-1 is another one' });
  });

  test('it does not when nothing is left to compare the Secret with, and a preview makes nothing anew', async () => {
    await rm(join(stateFolder, 'runs', '20260101T000000Z-a'), { recursive: true });
    expect(await decide()).toMatchObject({
      kind: 'new',
      why: expect.stringContaining('Secret django-ray-secret: gone'),
    });
    expect(await runFolder(stateFolder, '20260101T000000Z-a').readMark('digest-key')).toBeUndefined();
  });

  test('nobody decides on a cluster that may not be read', async () => {
    cluster.failNext('list', new ClusterError({ code: 'forbidden', message: '403' }));
    await expect(decide()).rejects.toMatchObject({ code: 'preflight.unreadable' });
  });

  test('an API server that is away for a moment is waited for, and nothing is restarted for it', async () => {
    cluster.failNext('list', new ClusterError({ code: 'unreachable', message: 'connection refused', retryable: true }));
    expect(await decide()).toMatchObject({ kind: 'still-proven' });
  });

  test('it does not when a container restarted, and nobody waits for its pod to be Ready again', async () => {
    const head = rayPodObject('head-a', 'head');
    const status = head['status'] as { containerStatuses: object[] };
    const containerStatuses = [{ ...status.containerStatuses[0], restartCount: 1, ready: false }];
    cluster.put({ ...head, status: { ...status, conditions: [], containerStatuses } });
    const before = Date.now();
    expect(await decide()).toMatchObject({ kind: 'new', why: expect.stringContaining('pod head-a: restarts 0 -> 1') });
    expect(Date.now() - before).toBeLessThan(3_000);
  });

  test('a pod that is unready for a moment is waited for', async () => {
    const unready = rayPodObject('head-a', 'head');
    cluster.put({ ...unready, status: { ...(unready['status'] as object), conditions: [] } });
    setTimeout(() => cluster.put(unready), 300);
    expect(await decide()).toMatchObject({ kind: 'still-proven' });
  });
});
