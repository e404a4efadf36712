import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestsOf } from '../../src/gate/flows/digests.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { lookAtPostgres } from '../../src/gate/flows/postgresIdentity.js';
import { readPreserved } from '../../src/gate/flows/preserved.js';
import { rayPodsSha256 } from '../../src/gate/flows/ray.js';
import { wholeReading } from '../../src/gate/flows/readings.js';
import type { Facts } from '../../src/gate/model/observation.js';
import type { RunPlan, StepLayer } from '../../src/gate/model/plan.js';
import { readSource } from '../../src/host/git.js';
import { run } from '../../src/host/process.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { type FakeDockerOptions, fakeDocker } from '../fakes/docker.js';
import { digestOf, localImage } from './images.js';
import { rayClusterObject, rayPodObject, setupObjects, webObjects } from './objects.js';
import { digestA, digestB } from './pods.js';
import {
  claimObject,
  controlData,
  namespaceObject,
  postgresContract,
  postgresObjects,
  secretObject,
} from './preserved.js';
import { appReference, archiveUri, keptKubeconfig, stepContext, tree } from './step.js';

/** Of `busybox:1.36`, which is not ours. */
export const otherImage = digestOf('5');

export interface ProvenRun {
  readonly cluster: FakeCluster;
  context(layer: StepLayer, deadlineSeconds?: number): ReturnType<typeof stepContext>;
  git(...argv: string[]): Promise<unknown>;
  observe<L extends StepLayer>(layer: L, facts: Facts[L]): Promise<void>;
  /** Replaces what Docker has, by reference. */
  tag(ids: Readonly<Record<string, string>>, options?: FakeDockerOptions): Promise<void>;
  restorePath(): void;
}

/** Everything of one run up to its last checks, seen by its layers, and alive; in `folder`. */
export async function provenRun(folder: string, plan: Partial<RunPlan> = {}): Promise<ProvenRun> {
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
  for (const object of [...postgresObjects(), claimObject('postgres-pvc'), secretObject()]) cluster.put(object);
  for (const name of ['django-ray', 'kube-system', 'other']) cluster.put(namespaceObject(name));
  cluster.answerExec(controlData());
  let restore = () => {};
  const made: ProvenRun = {
    cluster,
    git,
    context: (layer, deadlineSeconds = 5) =>
      stepContext({
        layer,
        stateFolder: join(folder, 'state'),
        cluster,
        plan: { source: source.source, kubeconfig, supporting: [postgresContract], ...plan },
        deadlineSeconds,
      }),
    observe: (layer, facts) =>
      made.context(layer).run.writeObservation({
        schema: 'raygate.observation/1',
        layer,
        runId: 'run-1',
        startedAt: '2026-01-01T00:00:00Z',
        seconds: 1,
        facts,
      }),
    tag: async (ids, options = {}) => {
      restore();
      restore = await fakeDocker(join(folder, 'bin'), ids, { volumes: [{ Name: 'data', Labels: '' }], ...options });
    },
    restorePath: () => restore(),
  };
  await observeAll(made);
  return made;
}

async function observeAll(made: ProvenRun): Promise<void> {
  const image = (reference: string, id: string) => ({
    ...localImage(reference, { id, config: id, manifest: undefined }),
    built: true,
  });
  const app = image(appReference, digestA);
  const legacy = image('django-ray-worker:tree-1', digestB);
  await made.tag({ [app.reference]: app.id, [legacy.reference]: legacy.id, 'busybox:1.36': otherImage });
  const drain = made.context('drain');
  const before = await readPreserved(drain, await lookAtPostgres(drain));
  const { plan } = made.context('evidence');
  const live = judgeLiveIdentity(wholeReading(made.cluster.watch([]).view()), plan, {
    digests: digestsOf(app),
    rayClusterUid: undefined,
  });
  if (live.kind !== 'ready') throw new Error(live.detail);
  const { ray, deployments, supporting, setup } = live.facts;
  const facts: Omit<Facts, 'evidence' | 'final-identity'> = {
    images: { app, legacy },
    drain: { mode: 'wait', empty: [], notPresent: [], before },
    setup: {
      ...setup,
      result: { archive: { uri: archiveUri, bytes: 10, sha256: 'e'.repeat(64), members: 1 }, sourceTree: tree },
    },
    workloads: { rayClusterUid: 'cluster-uid', webDeploymentUid: 'web-uid' },
    ray: { ...ray, restart: 'performed', retiredUids: ['old'], podsSha256: rayPodsSha256(ray) },
    rollouts: { deployments: [] },
    'app-convergence': { deployments },
    'image-identity': {
      images: [],
      sharedStore: true,
      labels: {},
      runtimes: ['docker://29.0.0'],
      supporting,
      setupPod: setup.pod,
      claims: before.claims,
    },
    'api-smoke': {
      unauthenticated: [{ request: 'GET /', status: 401 }],
      authenticated: [{ request: 'GET /', status: 200 }],
      task: {
        id: '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11',
        queue: 'default',
        state: 'SUCCEEDED',
        result: 5,
        worker: 'm',
        rayAddress: 'ray://x',
        workingDir: archiveUri,
        attempt: 1,
      },
    },
  };
  for (const [layer, seen] of Object.entries(facts)) await made.observe(layer as 'images', seen as Facts['images']);
}
