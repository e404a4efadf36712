import { deadlineIn } from '../../src/core/deadline.js';
import { createRedactor } from '../../src/core/redaction.js';
import { runFolder } from '../../src/gate/flows/stateFolder.js';
import type { StepContext } from '../../src/gate/flows/stepContext.js';
import type { RunPlan, StepLayer } from '../../src/gate/model/plan.js';
import type { FakeCluster } from '../fakes/cluster.js';
import { topology } from './ray.js';
import { webContract } from './rollouts.js';

export const tree = '1'.repeat(40);
export const appReference = 'django-ray:tree-1';
export const archiveUri = 'file:///runtime-env/a.zip';

/** A plan of one web replica and a small Ray, which drains nothing unless told otherwise. */
export function runPlan(stateFolder: string, fields: Partial<RunPlan> = {}): RunPlan {
  return {
    schema: 'raygate.plan/1',
    platform: 'lab',
    stack: 'lab',
    namespace: 'django-ray',
    stateFolder,
    fingerprint: 'f'.repeat(64),
    kubeconfig: {
      path: '/nowhere',
      sha256: '0'.repeat(64),
      context: 'docker-desktop',
      server: 'https://127.0.0.1:6443',
    },
    docker: { host: 'unix:///nowhere.sock' },
    source: { root: '/nowhere', commit: '2'.repeat(40), tree },
    release: {
      tag: 'tree-1',
      buildInputsSha256: '3'.repeat(64),
      app: { reference: appReference, dockerfile: 'app/Dockerfile', contextFolder: 'app' },
      legacy: { reference: 'django-ray-worker:tree-1', dockerfile: 'app/Dockerfile.ray', contextFolder: 'app' },
      archiveUri,
    },
    ray: { topology, restart: 'required', operatorVersion: '1.6.2' },
    deployments: [webContract],
    setup: {
      manifest: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'django-setup', namespace: 'django-ray' },
        spec: { ttlSecondsAfterFinished: 300, template: {} },
      },
      pod: { initContainers: [], containers: [{ name: 'django-setup', image: appReference }] },
    },
    webUrl: 'http://127.0.0.1:1',
    drain: 'skip',
    deadlines: {},
    deadlineSeconds: 600,
    ...fields,
  };
}

export interface StepOptions {
  readonly layer: StepLayer;
  readonly stateFolder: string;
  readonly cluster: FakeCluster;
  readonly plan?: Partial<RunPlan>;
  readonly deadlineSeconds?: number;
}

export function stepContext({
  layer,
  stateFolder,
  cluster,
  plan,
  deadlineSeconds,
}: StepOptions): StepContext & { lines: string[] } {
  const lines: string[] = [];
  return {
    layer,
    runId: 'run-1',
    plan: runPlan(stateFolder, plan),
    cluster,
    watch: async () => cluster.watch([]),
    deadline: deadlineIn(deadlineSeconds ?? 5),
    redactor: createRedactor(),
    run: runFolder(stateFolder, 'run-1'),
    assertHolds: async () => {},
    progress: (line) => lines.push(line),
    lines,
  };
}
