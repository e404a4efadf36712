import { beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/cluster/objects.js';
import { readingCluster } from '../../src/gate/flows/readingCluster.js';
import { explainedKinds, readNamespace } from '../../src/gate/flows/readNamespace.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { NamespaceFacts } from '../../src/gate/model/namespaceFacts.js';
import { anObject, type ObjectFields } from '../builders/kube.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

let cluster: FakeCluster;
beforeEach(() => {
  cluster = fakeCluster();
});

const put = (kind: { apiVersion: string; kind: string }, fields: ObjectFields): KubeObject => {
  const object = anObject({ ...kind, ...fields, metadata: { namespace: 'team-a', ...fields.metadata } });
  cluster.put(object);
  return object;
};
const namespace = (fields: object = {}, metadata: object = {}) =>
  cluster.put({
    ...kinds.namespace,
    metadata: { name: 'team-a', ...metadata },
    spec: { finalizers: ['kubernetes'] },
    ...fields,
  });
async function facts(): Promise<NamespaceFacts> {
  const read = await readNamespace(readingCluster(cluster, explainedKinds), 'team-a');
  if (read.kind !== 'found') throw new Error(read.kind);
  return read.value;
}

describe('reading a namespace', () => {
  test('that is not there says so', async () => {
    expect(await readNamespace(readingCluster(cluster, explainedKinds), 'team-a')).toEqual({ kind: 'absent' });
  });

  test('takes in who is deleted, by what held, of whom, and who put that there', async () => {
    namespace(
      {
        spec: { finalizers: ['kubernetes', 'example.com/tenant'] },
        status: {
          phase: 'Terminating',
          conditions: [
            { type: 'A', status: 'True', message: 'a' },
            { type: 'B', status: 'False' },
          ],
        },
      },
      { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/meta'] },
    );
    put(kinds.workload, {
      metadata: {
        name: 'w',
        deletionTimestamp: '2026-01-01T00:00:01Z',
        finalizers: ['kueue.x-k8s.io/resource-in-use'],
        ownerReferences: [{ ...kinds.job, name: 'j', uid: 'j-uid', blockOwnerDeletion: true }],
        managedFields: [
          { manager: 'kueue', fieldsV1: { 'f:metadata': { 'f:finalizers': {} } } },
          { manager: 'kubectl', fieldsV1: { 'f:spec': {} } },
        ],
      },
    });
    put({ apiVersion: 'v1', kind: 'Event' }, { metadata: { name: 'e' } });
    const read = await facts();
    expect(read).toMatchObject({
      phase: 'Terminating',
      deletedAt: '2026-01-01T00:00:00Z',
      finalizers: ['example.com/tenant', 'example.com/meta'],
      conditions: [{ type: 'A', message: 'a' }],
      faults: [],
    });
    expect(read.remaining).toEqual([
      {
        kind: 'Workload.kueue.x-k8s.io',
        resource: 'workloads.kueue.x-k8s.io',
        leftOut: 0,
        objects: [
          {
            name: 'w',
            uid: 'uid-of-w',
            deletedAt: '2026-01-01T00:00:01Z',
            finalizers: ['kueue.x-k8s.io/resource-in-use'],
            owners: [{ kind: 'Job', name: 'j', uid: 'j-uid', blocks: true }],
            finalizerManagers: ['kueue'],
          },
        ],
      },
    ]);
  });

  test('names the API services that are away, and no other', async () => {
    namespace();
    const service = (name: string, status: string, spec: object = { service: { namespace: 'm', name: 's' } }) =>
      cluster.put({
        ...kinds.apiService,
        metadata: { name },
        spec,
        status: { conditions: [{ type: 'Available', status, reason: 'ServiceNotFound', message: 'gone' }] },
      });
    service('v1.a', 'False');
    service('v1.b', 'Unknown', {});
    service('v1.apps', 'True', {});
    expect((await facts()).unavailableServices).toEqual([
      { name: 'v1.a', service: 'm/s', message: 'ServiceNotFound: gone' },
      { name: 'v1.b', service: undefined, message: 'ServiceNotFound: gone' },
    ]);
  });

  test('knows which controllers are there, in whatever namespace', async () => {
    namespace();
    expect((await facts()).controllers).toEqual({
      kueue: 'absent',
      kuberay: 'absent',
      'kube-controller-manager': 'unknown',
    });
    const controller = (name: string, readyReplicas: number, labels = {}) =>
      put(kinds.deployment, { metadata: { name, namespace: 'operators', labels }, status: { readyReplicas } });
    controller('kuberay-operator', 0);
    controller('quota', 1, { 'app.kubernetes.io/name': 'kueue' });
    controller('kuberay-dashboard', 1);
    expect((await facts()).controllers).toMatchObject({ kueue: 'running', kuberay: 'not-ready' });
  });

  test('finds the pods that use a claim, but for those that have ended', async () => {
    namespace({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    const pod = (name: string, phase: string) =>
      put(kinds.pod, {
        metadata: { name },
        spec: { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }, { emptyDir: {} }] },
        status: { phase },
      });
    pod('a', 'Running');
    pod('b', 'Pending');
    pod('c', 'Succeeded');
    expect((await facts()).claimUsers).toEqual({ data: ['a', 'b'] });
  });

  const faults: readonly [string, () => void, object[]][] = [
    [
      'a pod without a node',
      () =>
        put(kinds.pod, {
          metadata: { name: 'p' },
          status: {
            phase: 'Pending',
            conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }],
          },
        }),
      [{ object: 'Pod p', detail: 'not ready: p has no node: 0/1 nodes' }],
    ],
    [
      'a pod whose image cannot be pulled',
      () =>
        put(kinds.pod, {
          metadata: { name: 'p' },
          status: {
            phase: 'Pending',
            containerStatuses: [
              { name: 'c', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } } },
            ],
          },
        }),
      [{ object: 'Pod p', detail: 'container c of pod p: ImagePullBackOff: no such tag' }],
    ],
    [
      'a pod that has done its work',
      () => put(kinds.pod, { metadata: { name: 'p' }, status: { phase: 'Succeeded' } }),
      [],
    ],
    [
      'a claim without a volume',
      () => put(kinds.persistentVolumeClaim, { metadata: { name: 'c' }, status: { phase: 'Pending' } }),
      [{ object: 'PersistentVolumeClaim c', detail: 'it is Pending: no volume is bound to it' }],
    ],
    [
      'a ReplicaSet that quota keeps from making pods',
      () =>
        put(kinds.replicaSet, {
          metadata: { name: 'r' },
          status: { conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] },
        }),
      [{ object: 'ReplicaSet r', detail: expect.stringMatching(/^it cannot make pods: .*exceeded quota/) }],
    ],
    [
      'a Deployment with too few replicas',
      () =>
        put(kinds.deployment, {
          metadata: { name: 'd', generation: 2 },
          spec: { replicas: 2 },
          status: { observedGeneration: 2, availableReplicas: 1 },
        }),
      [{ object: 'Deployment d', detail: '1 of 2 replicas are available' }],
    ],
    [
      'a Job that failed',
      () =>
        put(kinds.job, {
          metadata: { name: 'j' },
          status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'x' }] },
        }),
      [{ object: 'Job j', detail: 'it failed: BackoffLimitExceeded: x' }],
    ],
    [
      'a Workload without quota',
      () =>
        put(kinds.workload, {
          metadata: { name: 'w' },
          status: { conditions: [{ type: 'QuotaReserved', status: 'False', message: 'insufficient cpu' }] },
        }),
      [{ object: 'Workload w', detail: 'no quota is reserved for it: insufficient cpu' }],
    ],
    [
      'a Workload that is finished, and gave its quota back',
      () =>
        put(kinds.workload, {
          metadata: { name: 'w' },
          status: {
            conditions: [
              { type: 'QuotaReserved', status: 'False', message: 'x' },
              { type: 'Finished', status: 'True' },
            ],
          },
        }),
      [],
    ],
  ];
  test.each(faults)('says what is wrong with %s', async (_, make, expected) => {
    namespace();
    make();
    expect((await facts()).faults).toEqual(expected);
  });
});

describe('a cluster that is only looked at', () => {
  test('shows the metadata of any kind, and the whole of none but those that are allowed', async () => {
    const looked = readingCluster(cluster, [kinds.pod]);
    await expect(looked.get({ ...kinds.secret, name: 's', namespace: 'team-a' })).rejects.toThrow('v1/Secret is not');
    await expect(looked.list(kinds.secret, { namespace: 'team-a' })).rejects.toThrow('v1/Secret is not');
    expect(await looked.list(kinds.secret, { metadataOnly: true })).toMatchObject({ kind: 'found' });
    expect(await looked.list(kinds.pod)).toMatchObject({ kind: 'found' });
  });

  test('changes nothing, and runs nothing', async () => {
    const looked = readingCluster(cluster, [kinds.pod]);
    const object = anObject({ ...kinds.pod });
    const ref = { ...kinds.pod, name: 'thing', namespace: 'django-ray' };
    const options = { fieldManager: 'x' };
    const refused = [
      looked.create(object, options),
      looked.apply(object, options),
      looked.patch(ref, {}, { ...options, type: 'merge' }),
      looked.remove(ref),
      looked.exec({ namespace: 'x', pod: 'x', container: 'x', argv: [], timeoutSeconds: 1 }),
      looked.logs({ namespace: 'x', pod: 'x', container: 'x', tailLines: 1 }),
    ];
    for (const one of refused) await expect(one).rejects.toThrow('this command only reads');
    expect(cluster.mutations).toEqual([]);
  });
});
