import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { readingCluster } from '../../src/gate/flows/readingCluster.js';
import { appReading, rayReading, setupReading, watchedKinds } from '../../src/gate/flows/readings.js';
import { readStatus } from '../../src/gate/flows/readStatus.js';
import { evidencePath, runFolder, writeJson } from '../../src/gate/flows/stateFolder.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { Facts } from '../../src/gate/model/observation.js';
import { judgeStatus } from '../../src/gate/rules/status.js';
import { ownProcess } from '../../src/host/processRecord.js';
import { holderOf, leaseObject } from '../builders/lease.js';
import { completeSetupJob, podObject, rayClusterObject, rayPodObject, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { webContract } from '../builders/rollouts.js';
import { appReference, runPlan } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker } from '../fakes/docker.js';

const runId = '20260101T000000Z-aaaaaaaa';
const image = { tags: [], labels: {}, sizeBytes: 1, built: true, index: undefined, manifest: undefined };
const app = { ...image, reference: appReference, id: digestA, config: digestA };
const legacy = { ...image, reference: 'django-ray-worker:tree-1', id: digestB, config: digestB };
let stateFolder: string;
let cluster: FakeCluster;
let restorePath: () => void;

const web = 'django-web';
const plan = () => runPlan(stateFolder, { deployments: [{ ...webContract, name: web }] });
/** The builders' Deployment `web` under the name that the gate knows. */
const renamed = () =>
  webObjects().map((object) =>
    JSON.parse(JSON.stringify(object).replace(/"name":"web",("namespace"|"uid")/g, `"name":"${web}",$1`)),
  );
const run = (id = runId) => runFolder(stateFolder, id);
const observe = (layer: string, facts: unknown, id = runId) =>
  run(id).writeObservation({
    schema: 'raygate.observation/1',
    layer: layer as 'images',
    runId: id,
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 1.25,
    facts: facts as Facts['images'],
  });

/** A run of this stack that ended in proof, and everything of it alive. */
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-status-'));
  cluster = fakeCluster();
  restorePath = await fakeDocker(join(stateFolder, 'bin'), { [app.reference]: app.id, [legacy.reference]: legacy.id });
  const labels = { 'job-name': 'django-setup' };
  const owner = { ...kinds.job, name: 'django-setup', uid: 'job-uid', controller: true };
  const setupStatus = {
    phase: 'Succeeded',
    containerStatuses: [
      {
        name: 'django-setup',
        image: `docker.io/library/${appReference}`,
        imageID: digestA,
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0, reason: 'Completed', message: '{}' } },
      },
    ],
  };
  const spec = { containers: [{ name: 'django-setup', image: appReference }] };
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), completeSetupJob(), ...renamed()])
    cluster.put(object);
  cluster.put(podObject('django-setup-1', { labels, owner, spec, status: setupStatus }));
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  const view = cluster.watch([]).view();
  const reading = { ray: rayReading(view), app: appReading(view), setup: setupReading(view) };
  const live = judgeLiveIdentity(reading, plan(), app, 'cluster-uid');
  if (live.kind !== 'ready') throw new Error(live.detail);
  await run().writeMark('started', { fingerprint: plan().fingerprint });
  await run().writeMark('plan', plan());
  await observe('images', { app, legacy });
  await observe('drain', {});
  await observe('setup', { jobUid: 'job-uid', result: { sourceTree: plan().source.tree } });
  await observe('workloads', {});
  await observe('ray', live.facts.ray);
  await observe('rollouts', {});
  await observe('app-convergence', { deployments: live.facts.deployments });
  await observe('api-smoke', {});
  await observe('evidence', {});
  await run().log('[ray] passed in 1.0 s');
  await writeJson(evidencePath(stateFolder), {
    schema: 'raygate.evidence/1',
    runId,
    finishedAt: '2026-01-01T00:05:00Z',
    fingerprint: plan().fingerprint,
    source: plan().source,
    identity: live.facts,
    observations: { images: { facts: { app, legacy } }, setup: { facts: { result: { sourceTree: '1'.repeat(40) } } } },
  });
});
afterEach(async () => {
  restorePath();
  await rm(stateFolder, { recursive: true, force: true });
});

type Planned = Parameters<typeof readStatus>[0]['planned'];
const read = (planned: Planned = { fingerprint: plan().fingerprint, source: plan().source }, seconds = 1) => {
  const looked = readingCluster(cluster, [...watchedKinds, kinds.lease]);
  const persist = { layer: 'status', deadline: deadlineIn(seconds), cluster: looked } as const;
  return readStatus({ namespace: 'django-ray', stateFolder, planned, persist });
};
const states = async (seconds = 1) =>
  Object.fromEntries(
    (await read(undefined, seconds)).layers.map(({ layer, state, detail }) => [layer, `${state}: ${detail}`]),
  );
const pod = (name: string) => ({ ...kinds.pod, name, namespace: 'django-ray' });
const passed = 'passed at 2026-01-01T00:00:00Z in 1.3 s';

describe('reading the status of a stack', () => {
  test('asks each layer’s own rule, says when the others passed, and finds everything proven', async () => {
    const facts = await read();
    expect(judgeStatus(facts).healthy).toBe(true);
    expect(await states()).toEqual({
      images: `ready: ${passed}`,
      drain: `seen: ${passed}`,
      setup: `ready: ${passed}`,
      workloads: `ready: ${passed}`,
      ray: `ready: ${passed}`,
      rollouts: `ready: ${passed}`,
      'app-convergence': `ready: ${passed}`,
      'api-smoke': `seen: ${passed}`,
      evidence: `seen: ${passed}`,
    });
    expect(facts).toMatchObject({
      proof: { runId, finishedAt: '2026-01-01T00:05:00Z', commit: plan().source.commit },
      run: { runId, voidReason: undefined, lines: [{ layer: 'ray', text: 'passed in 1.0 s' }] },
      lease: undefined,
      decision: { kind: 'still-proven', runId },
    });
    expect(cluster.mutations).toEqual([]);
  });

  test('says what each rule finds wrong now', async () => {
    cluster.drop(pod('worker-b'));
    cluster.drop({ ...kinds.deployment, name: web, namespace: 'django-ray' });
    cluster.drop({ ...kinds.job, name: 'django-setup', namespace: 'django-ray' });
    restorePath();
    restorePath = await fakeDocker(join(stateFolder, 'bin'), { [legacy.reference]: legacy.id });
    expect(await states(0.1)).toMatchObject({
      images: `failed: The image ${app.reference} is gone instead of ${app.id}.`,
      setup: 'waiting: Job django-setup is not there yet',
      workloads: expect.stringContaining('waiting: '),
      ray: 'waiting: worker:worker-group 1/2',
      'app-convergence': expect.stringContaining('waiting: Deployment django-web is not there yet'),
    });
  });

  test('says of what was replaced that it is another', async () => {
    cluster.put(completeSetupJob('other'));
    const ray = rayClusterObject();
    cluster.put({ ...ray, metadata: { ...ray.metadata, uid: 'other' } });
    expect(await states()).toMatchObject({
      setup: expect.stringContaining('failed: Job django-setup has UID other, not job-uid'),
      ray: 'failed: RayCluster ray has UID other, not cluster-uid of this run.',
    });
  });

  test('says of a run under way who holds the Lease, and which layers it has not passed', async () => {
    const next = '20260102T000000Z-bbbbbbbb';
    await run(next).writeMark('started', { fingerprint: plan().fingerprint });
    await run(next).writeMark('plan', plan());
    await run(next).log('[images] building');
    cluster.put(leaseObject(holderOf(await ownProcess(), next, 'lab')));
    const facts = await read();
    expect(facts).toMatchObject({
      run: { runId: next, lines: [{ layer: 'images', text: 'building' }] },
      lease: { life: 'alive' },
      decision: { kind: 'continued', runId: next },
    });
    expect(new Set(facts.layers.map(({ state }) => state))).toEqual(new Set(['not-reached']));
  });

  test('says why a run is void', async () => {
    await run().writeMark('void', { reason: 'pod head restarted' });
    expect((await read()).run?.voidReason).toBe('pod head restarted');
  });

  test.each([
    [
      'another tree',
      { fingerprint: 'x', source: { root: '/', commit: '3', tree: '3' } },
      'the source tree has changed',
    ],
    ['other settings', { fingerprint: 'x', source: runPlan('/').source }, 'what is deployed, or where, has changed'],
  ])('says that an up would begin anew for %s', async (_, planned, why) => {
    expect((await read(planned)).decision).toMatchObject({ kind: 'new', why });
  });

  test('says why an up would not begin', async () => {
    expect((await read({ refused: 'the tree is dirty' })).decision).toEqual({
      kind: 'refused',
      why: 'the tree is dirty',
    });
  });

  test('says of each layer that it cannot be asked while the cluster does not answer', async () => {
    for (let i = 0; i < 60; i++)
      cluster.failNext('list', new ClusterError({ code: 'forbidden', message: 'no', status: 403 }));
    const facts = await read();
    expect(facts.layers.find(({ layer }) => layer === 'ray')).toMatchObject({
      state: 'waiting',
      code: 'status.unreadable',
      detail: expect.stringMatching(/ list cannot be read: no$/),
    });
    expect(facts.decision).toMatchObject({ kind: 'refused', why: expect.stringContaining('cannot be read: no') });
  });

  test('of a stack on which nothing ran says so', async () => {
    await rm(join(stateFolder, 'runs'), { recursive: true });
    await rm(evidencePath(stateFolder));
    expect(await read()).toEqual({
      proof: undefined,
      run: undefined,
      lease: undefined,
      unreadable: undefined,
      layers: [],
      decision: { kind: 'new', runId: '', why: 'nothing was proven yet' },
    });
  });
});
