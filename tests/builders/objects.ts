import type { KubeObject, OwnerReference } from '../../src/cluster/objects.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';
import { digestA } from './pods.js';
import { operatorPods } from './ray.js';

const namespace = 'django-ray';
const image = 'rayproject/ray:2.60.0-py313';

export interface PodObjectFields {
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner?: OwnerReference;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export function podObject(name: string, fields: PodObjectFields = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: fields.uid ?? `${name}-uid`,
      labels: fields.labels ?? {},
      ownerReferences: fields.owner ? [fields.owner] : [],
    },
    spec: fields.spec ?? {},
    status: fields.status ?? {},
  };
}

/** A RayCluster of one head and two workers, as `tests/builders/ray.ts` plans it. */
export function rayClusterObject(): KubeObject {
  const template = (name: string) => ({ spec: { containers: [{ name, image }] } });
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayCluster',
    metadata: { name: 'ray', namespace, uid: 'cluster-uid' },
    spec: {
      enableInTreeAutoscaling: false,
      rayVersion: '2.60.0',
      headGroupSpec: { serviceType: 'NodePort', rayStartParams: {}, template: template('ray-head') },
      workerGroupSpecs: [
        {
          groupName: 'worker-group',
          replicas: 2,
          minReplicas: 2,
          maxReplicas: 2,
          rayStartParams: {},
          template: template('ray-worker'),
        },
      ],
    },
  };
}

/** A Ready pod of that cluster. */
export function rayPodObject(name: string, role: 'head' | 'worker'): KubeObject {
  const { labels, annotations, spec } = operatorPods[role === 'head' ? 'head' : 'worker:worker-group'] as PodTemplate;
  const status = (container: string, state: object) => ({
    name: container,
    image: `docker.io/${image}`,
    imageID: digestA,
    ready: true,
    restartCount: 0,
    state,
  });
  const pod = podObject(name, {
    labels,
    owner: { apiVersion: 'ray.io/v1', kind: 'RayCluster', name: 'ray', uid: 'cluster-uid', controller: true },
    spec,
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [status(`ray-${role}`, { running: {} })],
      ...(role === 'worker'
        ? { initContainerStatuses: [status('wait-gcs-ready', { terminated: { exitCode: 0, reason: 'Completed' } })] }
        : {}),
    },
  });
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

const appImage = 'django-ray:tree-1';
const webLabels = { app: 'django-ray', component: 'web' };

/** A converged Deployment `web` of one replica, with its ReplicaSet and pod, as `tests/builders/rollouts.ts` plans it. */
export function webObjects(): readonly KubeObject[] {
  const template = (labels: object) => ({
    metadata: { labels },
    spec: { containers: [{ name: 'web', image: appImage }] },
  });
  const hashed = { ...webLabels, 'pod-template-hash': 'new' };
  const annotations = { 'deployment.kubernetes.io/revision': '1' };
  const counts = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace, uid: 'web-uid', generation: 1, annotations },
      spec: { replicas: 1, selector: { matchLabels: webLabels }, template: template(webLabels) },
      status: { ...counts, observedGeneration: 1, updatedReplicas: 1 },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: 'web-new',
        namespace,
        uid: 'web-new-uid',
        annotations,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true }],
      },
      spec: { replicas: 1, selector: { matchLabels: hashed }, template: template(hashed) },
      status: counts,
    },
    podObject('web-new-1', {
      labels: hashed,
      owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-new', uid: 'web-new-uid', controller: true },
      spec: { containers: [{ name: 'web', image: appImage }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          {
            name: 'web',
            image: `docker.io/library/${appImage}`,
            imageID: digestA,
            ready: true,
            restartCount: 0,
            state: { running: {} },
          },
        ],
      },
    }),
  ];
}

/** The setup Job, done, and its pod. */
export function setupObjects(uid = 'job-uid'): readonly KubeObject[] {
  const terminated = { exitCode: 0, reason: 'Completed', message: '{}' };
  return [
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'django-setup', namespace, uid },
      status: { conditions: [{ type: 'Complete', status: 'True' }] },
    },
    podObject('django-setup-1', {
      labels: { 'job-name': 'django-setup' },
      owner: { apiVersion: 'batch/v1', kind: 'Job', name: 'django-setup', uid, controller: true },
      spec: { containers: [{ name: 'django-setup', image: appImage }] },
      status: {
        phase: 'Succeeded',
        containerStatuses: [
          {
            name: 'django-setup',
            image: `docker.io/library/${appImage}`,
            imageID: digestA,
            ready: false,
            restartCount: 0,
            state: { terminated },
          },
        ],
      },
    }),
  ];
}
