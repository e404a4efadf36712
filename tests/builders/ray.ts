import type { RayTopology } from '../../src/gate/model/contracts.js';
import { headAddress, kubeRayContracts } from '../../src/gate/model/kuberay.js';
import type { RunPlan } from '../../src/gate/model/plan.js';
import type { PodFacts } from '../../src/gate/model/podFacts.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';
import type { RayClusterFacts } from '../../src/gate/model/rayClusterFacts.js';
import { plannedRayPods } from '../../src/gate/model/rayPods.js';
import type { RayConvergedExpectation } from '../../src/gate/rules/rayConverged.js';
import { container, owner, pod, status } from './pods.js';

export const rayImage = 'rayproject/ray:2.60.0-py313';
const runningImage = 'docker.io/rayproject/ray:2.60.0-py313';
export const clusterUid = 'cluster-uid';

export const topology: RayTopology = {
  rayVersion: '2.60.0',
  serviceType: 'NodePort',
  head: { containers: [{ name: 'ray-head', image: rayImage }], initContainers: [], startParameters: {} },
  groups: [
    {
      name: 'worker-group',
      replicas: 2,
      containers: [{ name: 'ray-worker', image: rayImage }],
      initContainers: [],
      startParameters: {},
    },
  ],
};

export const rayTemplates: RunPlan['ray']['templates'] = {
  head: {
    labels: { app: 'ray', component: 'head' },
    annotations: {},
    spec: { containers: [{ name: 'ray-head', image: rayImage }] },
  },
  'worker:worker-group': {
    labels: { app: 'ray', component: 'worker' },
    annotations: {},
    spec: { containers: [{ name: 'ray-worker', image: rayImage }] },
  },
};

const operator = kubeRayContracts['1.6.2'];
if (operator === undefined) throw new Error('no KubeRay contract for 1.6.2');

/** What that operator makes of the plan. */
export const operatorPods = plannedRayPods(
  { topology, templates: rayTemplates, restart: 'required', operatorVersion: '1.6.2' },
  operator,
);

export function rayExpectation(fields: Partial<RayConvergedExpectation> = {}): RayConvergedExpectation {
  return {
    clusterName: 'ray',
    namespace: 'django-ray',
    topology,
    clusterUid,
    operator: operator as NonNullable<typeof operator>,
    headAddress: headAddress('ray', 'django-ray'),
    retiredUids: new Set(),
    pods: operatorPods,
    ...fields,
  };
}

export function rayCluster(fields: Partial<RayClusterFacts> = {}): RayClusterFacts {
  return {
    name: 'ray',
    namespace: 'django-ray',
    uid: clusterUid,
    terminating: false,
    topology: { ok: true, topology },
    ...fields,
  };
}

export function rayHead(fields: Partial<PodFacts> = {}): PodFacts {
  return pod({
    name: 'ray-head-1',
    labels: { app: 'ray', component: 'head', 'ray.io/cluster': 'ray' },
    owners: [owner('RayCluster', 'ray', clusterUid)],
    containers: [container('ray-head', rayImage)],
    whole: operatorPods['head'] as PodTemplate,
    statuses: [status('ray-head', runningImage)],
    ...fields,
  });
}

export function waitGcsReady(fields: Parameters<typeof container>[2] = {}) {
  const lines = (operator as NonNullable<typeof operator>).initContainer.scriptLines(headAddress('ray', 'django-ray'));
  const args = [`\n\t\t${lines.join('\n\t\t\t')}\n\t`];
  return container('wait-gcs-ready', rayImage, { command: ['/bin/bash', '-c', '--'], args, ...fields });
}

export const completed = { exitCode: 0, reason: 'Completed', message: '' };

export function rayWorker(name: string, fields: Partial<PodFacts> = {}): PodFacts {
  return pod({
    name,
    labels: { app: 'ray', component: 'worker', 'ray.io/cluster': 'ray', 'ray.io/group': 'worker-group' },
    owners: [owner('RayCluster', 'ray', clusterUid)],
    initContainers: [waitGcsReady()],
    containers: [container('ray-worker', rayImage)],
    whole: operatorPods['worker:worker-group'] as PodTemplate,
    initStatuses: [status('wait-gcs-ready', runningImage, { terminated: completed })],
    statuses: [status('ray-worker', runningImage)],
    ...fields,
  });
}

/** One head and two workers, as planned. */
export function rayPods(...changed: readonly PodFacts[]): readonly PodFacts[] {
  const planned = [rayHead(), rayWorker('ray-worker-1'), rayWorker('ray-worker-2')];
  const names = new Set(changed.map((one) => one.name));
  return [...planned.filter((one) => !names.has(one.name)), ...changed];
}
