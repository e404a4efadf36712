import type { ExecOptions, ExecResult } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import type { DeploymentContract } from '../../src/gate/model/contracts.js';
import type { PreservedSnapshot } from '../../src/gate/model/preserved.js';
import { podObject } from './objects.js';
import { digestA } from './pods.js';

const namespace = 'django-ray';
const image = 'postgres:17';
const labels = { app: 'postgres' };
const hashed = { ...labels, 'pod-template-hash': 'pg' };
const spec = {
  containers: [{ name: 'postgres', image }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'postgres-pvc' } }],
};

export const systemIdentifier = '7456789012345678901';

export const postgresContract: DeploymentContract = {
  name: 'postgres',
  replicas: 1,
  selector: labels,
  pod: { initContainers: [], containers: [{ name: 'postgres', image }] },
  template: { labels, annotations: {}, spec },
};

/** @param volumeName empty: it is not bound */
export function claimObject(name: string, uid = `${name}-uid`, volumeName = `pv-of-${uid}`): KubeObject {
  const metadata = { name, namespace, uid };
  const bound = volumeName === '' ? {} : { volumeName };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: bound };
}

export function namespaceObject(name: string, uid = `${name}-uid`, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid, ...metadata } };
}

export function secretObject(data: Readonly<Record<string, string>> = { DJANGO_API_TOKEN: 'dG9rZW4=' }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'django-ray-secret', namespace, uid: 'secret-uid' },
    data,
  };
}

/** PostgreSQL as converged as `postgresContract` wants it, its pod named `name`. */
export function postgresObjects(name = 'postgres-1'): readonly KubeObject[] {
  const annotations = { 'deployment.kubernetes.io/revision': '1' };
  const counts = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const owner = (kind: string, of: string) => ({
    apiVersion: 'apps/v1',
    kind,
    name: of,
    uid: `${of}-uid`,
    controller: true,
  });
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'postgres', namespace, uid: 'postgres-uid', generation: 1, annotations },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      status: { ...counts, observedGeneration: 1, updatedReplicas: 1 },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: 'postgres-set',
        namespace,
        uid: 'postgres-set-uid',
        annotations,
        ownerReferences: [owner('Deployment', 'postgres')],
      },
      spec: { replicas: 1, selector: { matchLabels: hashed }, template: { metadata: { labels: hashed }, spec } },
      status: counts,
    },
    podObject(name, {
      labels: hashed,
      owner: owner('ReplicaSet', 'postgres-set'),
      spec,
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          {
            name: 'postgres',
            image: `docker.io/library/${image}`,
            imageID: digestA,
            ready: true,
            restartCount: 0,
            state: {},
          },
        ],
      },
    }),
  ];
}

/** What `pg_controldata` writes, shortened. */
export function controlData(identifier = systemIdentifier): (options: ExecOptions) => ExecResult {
  const stdout = [
    'pg_control version number:            1700',
    'Catalog version number:               202406281',
    `Database system identifier:           ${identifier}`,
    'Database cluster state:               in production',
    '',
  ].join('\n');
  return () => ({ exitCode: 0, stdout, stderr: '' });
}

/** A look at a cluster that has one of everything. */
export function snapshot(fields: Partial<PreservedSnapshot> = {}): PreservedSnapshot {
  return {
    claims: [{ name: 'postgres-pvc', uid: 'c', volume: 'v' }],
    postgres: { kind: 'observed', pod: 'postgres-1', podUid: 'p', systemIdentifier },
    secret: { uid: 's', dataDigest: 'd' },
    namespaces: [{ name: 'kube-system', uid: 'k' }],
    docker: {
      images: [
        { id: 'sha256:1', names: ['busybox:1.36'] },
        { id: 'sha256:2', names: [] },
      ],
      volumes: ['data'],
      anonymousVolumes: 3,
    },
    ...fields,
  };
}
