import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deadlineIn } from '../../src/core/deadline.js';
import { verifyCheckout } from '../../src/gate/flows/checkoutFindings.js';
import { digestsOf } from '../../src/gate/flows/digests.js';
import { runEvidence } from '../../src/gate/flows/evidence.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { rayPodsSha256 } from '../../src/gate/flows/ray.js';
import { wholeReading } from '../../src/gate/flows/readings.js';
import type { Facts } from '../../src/gate/model/observation.js';
import { evidenceFiles } from '../../src/gate/report/evidenceFiles.js';
import { verifyFolder } from '../../src/gate/report/verify.js';
import { archiveSha256, readSource } from '../../src/host/git.js';
import { createPrivateFolder } from '../../src/host/privateFolder.js';
import { run } from '../../src/host/process.js';
import { nodeReport, resolvedImages, scraped } from '../builders/evidence.js';
import { rayClusterObject, rayPodObject, setupObjects, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { smokeTask } from '../builders/smokeTask.js';
import { appReference, archivePath, archiveUri, stepContext } from '../builders/step.js';
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
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), ...setupObjects(), ...webObjects()])
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
  const labels = { 'org.opencontainers.image.source-tree': source.source.tree };
  const image = {
    tags: [],
    repoDigests: [],
    labels,
    configLabels: labels,
    sizeBytes: 1,
    built: true,
    index: undefined,
    manifest: undefined,
  };
  const app = { ...image, reference: appReference, id: digestA, config: digestA };
  const legacy = { ...image, reference: 'django-ray-worker:tree-1', id: digestB, config: digestB };
  restorePath = await fakeDocker(join(folder, 'bin'), { [app.reference]: app.id, [legacy.reference]: legacy.id });
  const live = judgeLiveIdentity(wholeReading(cluster.watch([]).view()), context.plan, {
    digests: digestsOf(app),
    rayClusterUid: undefined,
  });
  if (live.kind !== 'ready') throw new Error(live.detail);
  const { ray, deployments, supporting, setup } = live.facts;
  const manager = deployments[0]?.pods[0]?.name ?? '';
  const task = (queue: string, result: number) => ({ ...smokeTask({ queue, result }), pod: manager });
  const archive = { uri: archiveUri, path: archivePath, bytes: 10, sha256: 'e'.repeat(64), members: 1 };
  const nodes = ray.pods.map(({ name, uid }) => ({ pod: name, uid, report: nodeReport(archive) }));
  const facts: Omit<Facts, 'evidence'> = {
    images: { app, legacy },
    drain: { mode: 'wait', empty: [], notPresent: [] },
    setup: {
      ...setup,
      result: { archive, sourceTree: source.source.tree },
    },
    workloads: { rayClusterUid: 'cluster-uid', webDeploymentUid: 'web-uid' },
    ray: { ...ray, restart: 'performed', retiredUids: ['old'], podsSha256: rayPodsSha256(ray) },
    rollouts: { deployments: [] },
    'app-convergence': { deployments },
    'image-identity': {
      images: resolvedImages(live.facts, app),
      sharedStore: true,
      labels,
      runtimes: ['docker://29.0.0'],
      supporting,
      setupPod: setup.pod,
    },
    'runtime-env': { archive, bareDjangoRay: 'absent', nodes },
    probes: {
      path: '/api/health',
      host: 'django-ray.localhost',
      pods: [],
      restarts: 0,
      requests: [
        { via: 'service', request: 'GET /', host: 'django-ray.localhost', authorization: 'none', status: 200 },
      ],
    },
    prometheus: { version: '2.53.3', sinceMs: 0, removedPool: 'absent', ...scraped(ray) },
    'api-smoke': {
      unauthenticated: [{ request: 'GET /', status: 401 }],
      authenticated: [{ request: 'GET /', status: 200 }],
      tasks: [task('ml', 6), task('default', 5)],
    },
  };
  for (const [layer, seen] of Object.entries(facts)) {
    await context.run.writeObservation({
      schema: 'raygate.observation/1',
      layer: layer as 'images',
      runId: 'run-1',
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:00:01Z',
      seconds: 1,
      waits: [{ at: '2026-01-01T00:00:00Z', line: `waiting for ${token}` }],
      facts: seen as Facts['images'],
    });
  }
});
afterEach(async () => {
  restorePath();
  await rm(folder, { recursive: true, force: true });
});

const names: readonly string[] = Object.values(evidenceFiles);
const state = (name: string) => readFile(join(folder, 'state', name), 'utf8');

describe('the evidence', () => {
  test('is written, with its lines, when nothing has changed since it was seen', async () => {
    const { evidenceFile, linesFile } = await runEvidence(context);
    const lines = (await readFile(linesFile, 'utf8')).trim().split('\n');
    expect(lines).toContain('task_result=5');
    expect(lines).toContain('ray_cluster_uid=cluster-uid');
    expect(lines).toContain('probe_host=django-ray.localhost');
    expect(lines).toContain('prometheus_ray_workers=2');
    expect(lines).toContain('prometheus_removed_worker_pool=absent');
    expect(lines).toContain('generic_django_ray=absent');
    expect(lines).toContain('deployment_django_ray_worker_ready=not-observed');
    expect(lines.every((line) => line.length <= 72)).toBe(true);
    expect(JSON.parse(await readFile(evidenceFile, 'utf8'))).toMatchObject({
      schema: 'raygate.evidence/3',
      runId: 'run-1',
      lines,
    });
  });

  test('holds no secret, whatever a layer saw', async () => {
    await runEvidence(context);
    for (const name of names) expect(await state(`evidence/${name}`)).not.toContain(token);
    expect(await state('evidence/evidence.txt')).toContain('[REDACTED]');
    expect(await state('evidence/evidence.html')).toContain('waiting for [REDACTED]');
  });

  test('is what anyone can verify, and takes the place of what a failed run reported', async () => {
    await mkdir(join(folder, 'state', 'failure'));
    await context.run.writeMark('preflight', {
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:00:01Z',
      seconds: 1,
      waits: [],
    });
    await runEvidence(context);
    const files = await Promise.all(
      names.map(async (name) => [name, Buffer.from(await state(`evidence/${name}`))] as const),
    );
    expect(verifyFolder(new Map(files))).toMatchObject({ findings: [], document: { preflight: { seconds: 1 } } });
    expect((await readdir(join(folder, 'state'))).sort()).toEqual(['evidence', 'runs']);
    expect((await readdir(join(folder, 'state', 'evidence'))).sort()).toEqual([...names].sort());
  });

  test('speaks of the source by commit, tree and the SHA-256 of its archive', async () => {
    await runEvidence(context);
    const document = JSON.parse(await state('evidence/evidence.json'));
    const { commit, tree } = context.plan.source;
    expect(document.plan.source).toEqual({ commit, tree, archiveSha256: await archiveSha256(context.plan.source) });
    expect(await verifyCheckout(document, join(folder, 'repository'))).toMatchObject({ findings: [] });
  });

  test('is not written while the run has left something private, and the run goes on from there', async () => {
    const left = await createPrivateFolder();
    await expect(runEvidence(context)).rejects.toMatchObject({ code: 'evidence.not-tidied', retryable: true });
    expect([await context.run.readMark('void'), await readdir(join(folder, 'state'))]).toEqual([undefined, ['runs']]);
    await left.remove();
    await runEvidence(context);
    expect(await readdir(join(folder, 'state'))).toContain('evidence');
  });

  test('is not written of observations that contradict each other', async () => {
    const seen = await context.run.readObservation('ray');
    if (seen === undefined) throw new Error('no observation');
    await context.run.writeObservation({ ...seen, facts: { ...seen.facts, podsSha256: '0'.repeat(64) } });
    await expect(runEvidence(context)).rejects.toMatchObject({ layer: 'evidence', code: 'evidence.ray-pods' });
    expect(await readdir(join(folder, 'state'))).toEqual(['runs']);
    expect(await context.run.readMark('void')).toBeDefined();
  });

  test('of an earlier run stays when a later run makes none', async () => {
    await runEvidence(context);
    const before = await state('evidence/evidence.json');
    cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
    await expect(runEvidence({ ...context, deadline: deadlineIn(0.2) })).rejects.toBeDefined();
    expect(await state('evidence/evidence.json')).toBe(before);
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
