import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deadlineIn } from '../../src/core/deadline.js';
import { GateError } from '../../src/core/gateError.js';
import { runEvidence } from '../../src/gate/flows/evidence.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { rayPodsSha256 } from '../../src/gate/flows/ray.js';
import { appReading, rayReading, setupReading } from '../../src/gate/flows/readings.js';
import type { Facts } from '../../src/gate/model/observation.js';
import { readSource } from '../../src/host/git.js';
import { run } from '../../src/host/process.js';
import { completeSetupJob, rayClusterObject, rayPodObject, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { appReference, archiveUri, stepContext, tree } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker } from '../fakes/docker.js';

const token = 'T0KEN-that-must-never-be-written-0123456789';
let folder: string;
let cluster: FakeCluster;
let context: ReturnType<typeof stepContext>;
let restorePath: () => void;

const git = (...argv: string[]) =>
  run({
    file: 'git',
    argv: ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv],
    cwd: join(folder, 'repository'),
    timeoutSeconds: 20,
  });

/** Everything of one run, seen by its layers, and alive. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-evidence-'));
  await mkdir(join(folder, 'repository'));
  await git('init', '-q');
  await git('commit', '-q', '--allow-empty', '-m', 'x');
  const source = await readSource(join(folder, 'repository'));
  if (!source.ok) throw new Error(source.problem.detail);
  cluster = fakeCluster();
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), completeSetupJob(), ...webObjects()])
    cluster.put(object);
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  const stateFolder = join(folder, 'state');
  context = stepContext({
    layer: 'evidence',
    stateFolder,
    cluster,
    plan: { source: source.source, docker: { host: `unix:///${token}` } },
  });
  context.redactor.register(token);
  const image = { tags: [], labels: {}, sizeBytes: 1, built: true, index: undefined, manifest: undefined };
  const app = { ...image, reference: appReference, id: digestA, config: digestA };
  const legacy = { ...image, reference: 'django-ray-worker:tree-1', id: digestB, config: digestB };
  restorePath = await fakeDocker(join(folder, 'bin'), { [app.reference]: app.id, [legacy.reference]: legacy.id });
  const view = cluster.watch([]).view();
  const live = judgeLiveIdentity(
    { ray: rayReading(view), app: appReading(view), setup: setupReading(view) },
    context.plan,
    app,
    undefined,
  );
  if (live.kind !== 'ready') throw new Error(live.detail);
  const { ray, deployments } = live.facts;
  const pod = { name: 'setup', uid: 's', initContainers: [], containers: [], restarts: 0 };
  const task = {
    id: '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11',
    queue: 'default',
    state: 'SUCCEEDED',
    result: 5,
    worker: 'm',
    rayAddress: 'ray://x',
    workingDir: archiveUri,
    attempt: 1,
  };
  const facts: Omit<Facts, 'evidence'> = {
    images: { app, legacy },
    drain: { mode: 'wait', empty: [], notPresent: [] },
    setup: {
      jobUid: 'job-uid',
      pod,
      result: { archive: { uri: archiveUri, bytes: 10, sha256: 'e'.repeat(64), members: 1 }, sourceTree: tree },
    },
    workloads: { rayClusterUid: 'cluster-uid', webDeploymentUid: 'web-uid' },
    ray: { ...ray, restart: 'performed', retiredUids: ['old'], podsSha256: rayPodsSha256(ray) },
    rollouts: { deployments: [] },
    'app-convergence': { deployments },
    'api-smoke': {
      unauthenticated: [{ request: 'GET /', status: 401 }],
      authenticated: [{ request: 'GET /', status: 200 }],
      task,
    },
  };
  for (const [layer, seen] of Object.entries(facts)) {
    await context.run.writeObservation({
      schema: 'raygate.observation/1',
      layer: layer as 'images',
      runId: 'run-1',
      startedAt: '2026-01-01T00:00:00Z',
      seconds: 1,
      facts: seen as Facts['images'],
    });
  }
});
afterEach(async () => {
  restorePath();
  await rm(folder, { recursive: true, force: true });
});

const state = (name: string) => readFile(join(folder, 'state', name), 'utf8');

describe('the evidence', () => {
  test('is written, with its lines, when nothing has changed since it was seen', async () => {
    const { evidenceFile, linesFile } = await runEvidence(context);
    const lines = (await readFile(linesFile, 'utf8')).trim().split('\n');
    expect(lines).toContain('task_result=5');
    expect(lines).toContain('ray_cluster_uid=cluster-uid');
    expect(lines).toContain('deployment_django_ray_worker_ready=not-observed');
    expect(lines.every((line) => line.length <= 72)).toBe(true);
    expect(JSON.parse(await readFile(evidenceFile, 'utf8'))).toMatchObject({
      schema: 'raygate.evidence/1',
      runId: 'run-1',
      lines,
    });
  });

  test('holds no secret, whatever a layer saw', async () => {
    await runEvidence(context);
    expect((await state('evidence.json')) + (await state('evidence.txt'))).not.toContain(token);
    expect(await state('evidence.txt')).toContain('[REDACTED]');
  });

  test('is not written by a run that was ended meanwhile', async () => {
    const ended = new GateError({ layer: 'evidence', code: 'gate.lease-lost', message: 'x', retryable: true });
    await expect(runEvidence({ ...context, assertHolds: () => Promise.reject(ended) })).rejects.toBe(ended);
    expect((await readdir(join(folder, 'state'))).filter((name) => name.startsWith('evidence'))).toEqual([]);
    expect(await context.run.readMark('void')).toBeUndefined();
  });

  test('is put off, and nothing is void, when a pod is not Ready in time', async () => {
    const unready = rayPodObject('head-a', 'head');
    cluster.put({ ...unready, status: { ...(unready['status'] as object), conditions: [] } });
    const hurried = { ...context, deadline: deadlineIn(0.2) };
    await expect(runEvidence(hurried)).rejects.toMatchObject({ retryable: true });
    expect(await context.run.readMark('void')).toBeUndefined();
  });

  test.each([
    [
      'a Ray pod was replaced',
      async () => {
        cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
        cluster.put(rayPodObject('worker-c', 'worker'));
      },
      'final-identity.changed',
    ],
    [
      'the setup Job is gone',
      async () => cluster.drop({ apiVersion: 'batch/v1', kind: 'Job', name: 'django-setup', namespace: 'django-ray' }),
      'setup.job-gone',
    ],
    [
      'the RayCluster is another one',
      async () => {
        const ray = rayClusterObject();
        cluster.put({ ...ray, metadata: { ...ray.metadata, uid: 'other' } });
      },
      'ray.cluster-replaced',
    ],
    ['HEAD moved', () => git('commit', '-q', '--allow-empty', '-m', 'y'), 'final-identity.source'],
    ['the tree is dirty', () => writeFile(join(folder, 'repository', 'new'), ''), 'final-identity.source'],
    [
      'an image was tagged anew',
      async () => {
        restorePath();
        restorePath = await fakeDocker(join(folder, 'bin'), { [appReference]: digestB });
      },
      'final-identity.image',
    ],
    [
      'a layer of the run saw nothing',
      () => rm(join(folder, 'state', 'runs', 'run-1', 'api-smoke.json')),
      'evidence.no-observation',
    ],
  ])('is refused when %s, and the run is void', async (_, change, code) => {
    await change();
    await expect(runEvidence(context)).rejects.toMatchObject({ code });
    expect(await context.run.readMark('void')).toBeDefined();
    expect((await readdir(join(folder, 'state'))).filter((name) => name.startsWith('evidence'))).toEqual([]);
  });
});
