import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestsOf } from '../../src/gate/flows/digests.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { rayPodsSha256 } from '../../src/gate/flows/ray.js';
import { wholeReading } from '../../src/gate/flows/readings.js';
import type { Facts } from '../../src/gate/model/observation.js';
import type { RunPlan, StepLayer } from '../../src/gate/model/plan.js';
import { readSource } from '../../src/host/git.js';
import { run } from '../../src/host/process.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker } from '../fakes/docker.js';
import { nodeReport, resolvedImages, scraped } from './evidence.js';
import { localImage } from './images.js';
import { rayClusterObject, rayPodObject, setupObjects, webObjects } from './objects.js';
import { digestA, digestB } from './pods.js';
import { smokeTask } from './smokeTask.js';
import { appReference, archivePath, archiveUri, keptKubeconfig, stepContext } from './step.js';

export interface ProvenRun {
  readonly cluster: FakeCluster;
  context(layer: StepLayer, deadlineSeconds?: number): ReturnType<typeof stepContext>;
  git(...argv: string[]): Promise<unknown>;
  observe<L extends StepLayer>(layer: L, facts: Facts[L]): Promise<void>;
  /** Replaces what Docker has, by reference. */
  tag(ids: Readonly<Record<string, string>>, broken?: Readonly<Record<string, string>>): Promise<void>;
  restorePath(): void;
}

/** Everything of one run up to its last checks, seen by its layers, and alive; in `folder`. Each waited for `waitLine`. */
export async function provenRun(folder: string, plan: Partial<RunPlan> = {}, waitLine?: string): Promise<ProvenRun> {
  const repository = join(folder, 'repository');
  await mkdir(repository);
  const git = (...argv: string[]) =>
    run({
      file: 'git',
      argv: ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv],
      cwd: repository,
      timeoutSeconds: 20,
    });
  await git('init', '-q');
  await git('commit', '-q', '--allow-empty', '-m', 'x');
  const source = await readSource(repository);
  if (!source.ok) throw new Error(source.problem.detail);
  const kubeconfig = await keptKubeconfig(join(folder, 'state'));
  const cluster = fakeCluster();
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), ...setupObjects(), ...webObjects()])
    cluster.put(object);
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  let restore = () => {};
  const made: ProvenRun = {
    cluster,
    git,
    context: (layer, deadlineSeconds = 5) =>
      stepContext({
        layer,
        stateFolder: join(folder, 'state'),
        cluster,
        plan: { source: source.source, kubeconfig, ...plan },
        deadlineSeconds,
      }),
    observe: (layer, facts) =>
      made.context(layer).run.writeObservation({
        schema: 'raygate.observation/1',
        layer,
        runId: 'run-1',
        startedAt: '2026-01-01T00:00:00Z',
        endedAt: '2026-01-01T00:00:01Z',
        seconds: 1,
        waits: waitLine === undefined ? [] : [{ at: '2026-01-01T00:00:00Z', line: waitLine }],
        facts,
      }),
    tag: async (ids, broken = {}) => {
      restore();
      restore = await fakeDocker(join(folder, 'bin'), ids, { broken });
    },
    restorePath: () => restore(),
  };
  await observeAll(made);
  return made;
}

async function observeAll(made: ProvenRun): Promise<void> {
  const { plan } = made.context('evidence');
  const labels = { 'org.opencontainers.image.source-tree': plan.source.tree };
  const image = (reference: string, id: string) => ({
    ...localImage(reference, { id, config: id, manifest: undefined, labels, configLabels: labels }),
    built: true,
  });
  const app = image(appReference, digestA);
  const legacy = image('django-ray-worker:tree-1', digestB);
  await made.tag({ [app.reference]: app.id, [legacy.reference]: legacy.id });
  const live = judgeLiveIdentity(wholeReading(made.cluster.watch([]).view()), plan, {
    digests: digestsOf(app),
    rayClusterUid: undefined,
  });
  if (live.kind !== 'ready') throw new Error(live.detail);
  const { ray, deployments, supporting, setup } = live.facts;
  const manager = deployments[0]?.pods[0]?.name ?? '';
  const task = (queue: string, result: number) => ({ ...smokeTask({ queue, result }), pod: manager });
  const archive = { uri: archiveUri, path: archivePath, bytes: 10, sha256: 'e'.repeat(64), members: 1 };
  const request = { via: 'service', request: 'GET /', host: 'django-ray.localhost', authorization: 'none' } as const;
  const facts: Omit<Facts, 'evidence' | 'final-identity'> = {
    images: { app, legacy },
    drain: { mode: 'wait', empty: [], notPresent: [] },
    setup: { ...setup, result: { archive, sourceTree: plan.source.tree } },
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
    'runtime-env': {
      archive,
      bareDjangoRay: 'absent',
      nodes: ray.pods.map(({ name, uid }) => ({ pod: name, uid, report: nodeReport(archive) })),
    },
    probes: {
      path: '/api/health',
      host: 'django-ray.localhost',
      pods: [],
      restarts: 0,
      requests: [{ ...request, status: 200 }],
    },
    prometheus: { version: '2.53.3', sinceMs: 0, removedPool: 'absent', ...scraped(ray) },
    'api-smoke': {
      unauthenticated: [{ request: 'GET /', status: 401 }],
      authenticated: [{ request: 'GET /', status: 200 }],
      tasks: [task('ml', 6), task('default', 5)],
    },
  };
  for (const [layer, seen] of Object.entries(facts)) await made.observe(layer as 'images', seen as Facts['images']);
}
