import { describe, expect, test } from 'vitest';
import type { Cause, NamespaceFacts } from '../../src/gate/model/namespaceFacts.js';
import { explainNamespace } from '../../src/gate/rules/explainNamespace.js';
import { namespaceFacts, remainingKind, remainingObject, terminating } from '../builders/namespace.js';

const cause = (code: string, what: string, next: string): Cause => ({ code: `namespace.${code}`, what, next });
const held = (name: string, finalizer: string, fields: object = {}) =>
  remainingObject(name, { finalizers: [finalizer], ...fields });
const inUse = 'kueue.x-k8s.io/resource-in-use';
const workload = (...names: readonly string[]) =>
  remainingKind(
    'Workload.kueue.x-k8s.io',
    names.map((name) => held(name, inUse)),
  );
const inUseWhat = (names: string) =>
  `Workload.kueue.x-k8s.io ${names} held by finalizer ${inUse}: it stays until nothing uses the object: an admitted Workload keeps its quota, and its queues their Workloads`;
const patch = (resource: string, name: string) =>
  `kubectl -n team-a patch ${resource} ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`;

describe('a terminating namespace is explained', () => {
  const rows: readonly [string, Partial<NamespaceFacts>, readonly Cause[]][] = [
    [
      'by an API server of a Service that is away',
      {
        unavailableServices: [
          { name: 'v1.metrics', service: 'monitoring/adapter', message: 'MissingEndpoints: no endpoints' },
        ],
      },
      [
        cause(
          'api-service-unavailable',
          'APIService v1.metrics (Service monitoring/adapter) is unavailable: MissingEndpoints: no endpoints; while its kinds cannot be listed, no namespace is deleted to its end',
          'bring Service monitoring/adapter back; when it is gone for good: kubectl delete apiservice v1.metrics',
        ),
      ],
    ],
    [
      'by what the namespace controller says, where that says more than what is left',
      {
        conditions: [
          { type: 'NamespaceDeletionDiscoveryFailure', message: 'stale GroupVersion discovery: metrics/v1' },
          { type: 'NamespaceDeletionContentFailure', message: 'webhook "w" denied the request' },
          { type: 'NamespaceDeletionGroupVersionParsingFailure', message: 'x/y/z' },
          { type: 'NamespaceContentRemaining', message: 'Some resources are remaining' },
          { type: 'NamespaceFinalizersRemaining', message: 'Some content has finalizers' },
        ],
      },
      [
        cause(
          'condition',
          'NamespaceDeletionDiscoveryFailure: stale GroupVersion discovery: metrics/v1',
          'make each API group answer again: as long as one does not, nothing of the namespace is finished',
        ),
        cause(
          'condition',
          'NamespaceDeletionContentFailure: webhook "w" denied the request',
          'mend what its message names: a deletion was refused, often by an admission webhook that is away',
        ),
        cause(
          'condition',
          'NamespaceDeletionGroupVersionParsingFailure: x/y/z',
          'see which APIService or CRD has a group version that is none',
        ),
      ],
    ],
    [
      'by a finalizer whose controller runs',
      { remaining: [workload('a')] },
      [
        cause(
          'finalizer',
          inUseWhat('a'),
          'let the Jobs and RayClusters behind its Workloads end, or delete those first',
        ),
      ],
    ],
    [
      'by a finalizer whose controller is not installed',
      {
        remaining: [workload('a')],
        controllers: { kueue: 'absent', kuberay: 'running', 'kube-controller-manager': 'unknown' },
      },
      [
        cause(
          'controller-absent',
          `${inUseWhat('a')}, and its controller, kueue, is not installed`,
          `install kueue again, which takes it away; or, when nothing of it is needed any more: ${patch('workloads.kueue.x-k8s.io', 'a')}`,
        ),
      ],
    ],
    [
      'by a finalizer whose controller has no ready pod',
      {
        remaining: [remainingKind('RayCluster.ray.io', [held('ray', 'ray.io/gcs-ft-redis-cleanup-finalizer')])],
        controllers: { kueue: 'running', kuberay: 'not-ready', 'kube-controller-manager': 'unknown' },
      },
      [
        cause(
          'controller-not-ready',
          "RayCluster.ray.io ray held by finalizer ray.io/gcs-ft-redis-cleanup-finalizer: it stays until a Job of KubeRay has removed the cluster's data from Redis, and no pod of its controller, kuberay, is ready",
          'bring kuberay back: see why its pods are not ready',
        ),
      ],
    ],
    [
      'by objects that share a finalizer, at once, with a bounded list of names and their owners',
      {
        remaining: [
          remainingKind(
            'Workload.kueue.x-k8s.io',
            ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
              held(name, inUse, { owners: [{ kind: 'RayCluster', name: 'ray', uid: 'r', blocks: false }] }),
            ),
          ),
        ],
        controllers: { kueue: 'absent', kuberay: 'running', 'kube-controller-manager': 'unknown' },
      },
      [
        cause(
          'controller-absent',
          `${inUseWhat('a, b, c, d, e and 2 more (of RayCluster ray)')}, and its controller, kueue, is not installed`,
          `install kueue again, which takes it away; or, when nothing of it is needed any more: ${patch('workloads.kueue.x-k8s.io', 'NAME')}`,
        ),
      ],
    ],
    [
      'by a claim that pods still use',
      {
        remaining: [remainingKind('PersistentVolumeClaim', [held('data', 'kubernetes.io/pvc-protection')])],
        claimUsers: { data: ['postgres-1'], other: ['web-1'] },
      },
      [
        cause(
          'finalizer',
          'PersistentVolumeClaim data held by finalizer kubernetes.io/pvc-protection: it stays until no pod uses the claim, and pod postgres-1 does',
          'end or delete pod postgres-1',
        ),
      ],
    ],
    [
      'by a claim that nobody uses any more',
      { remaining: [remainingKind('PersistentVolumeClaim', [held('data', 'kubernetes.io/pvc-protection')])] },
      [
        cause(
          'finalizer',
          'PersistentVolumeClaim data held by finalizer kubernetes.io/pvc-protection: it stays until no pod uses the claim',
          'wait a moment: nobody uses it any more',
        ),
      ],
    ],
    [
      'by the dependents of what is deleted in the foreground',
      {
        remaining: [
          remainingKind('Job.batch', [held('setup', 'foregroundDeletion')]),
          remainingKind('Pod', [
            held('setup-1', 'example.com/hold', {
              owners: [{ kind: 'Job', name: 'setup', uid: 'setup-uid', blocks: true }],
            }),
            held('other', 'example.com/hold', {
              owners: [{ kind: 'Job', name: 'setup', uid: 'setup-uid', blocks: false }],
            }),
          ]),
        ],
      },
      [
        cause(
          'finalizer',
          'Job.batch setup held by finalizer foregroundDeletion: it stays until what it owns is gone: Pod setup-1',
          'see what keeps Pod setup-1',
        ),
        cause(
          'finalizer-unknown',
          'Pod setup-1, other (of Job setup) held by finalizer example.com/hold: raygate knows no controller that takes it away',
          `see whether what put it there still runs; when it is gone for good, and what it guarded may be lost: ${patch('pods', 'NAME')}`,
        ),
      ],
    ],
    [
      'by a finalizer that nobody knows, with who put it there',
      {
        remaining: [
          remainingKind('ConfigMap', [held('kept', 'example.com/hold', { finalizerManagers: ['holder', 'kubectl'] })]),
        ],
      },
      [
        cause(
          'finalizer-unknown',
          'ConfigMap kept held by finalizer example.com/hold, put there by holder, kubectl: raygate knows no controller that takes it away',
          `see whether what put it there still runs; when it is gone for good, and what it guarded may be lost: ${patch('configmaps', 'kept')}`,
        ),
      ],
    ],
    [
      'by pods that end, and by what is not deleted yet',
      {
        remaining: [
          remainingKind('Pod', [remainingObject('web-1')]),
          remainingKind('Secret', [remainingObject('s', { deletedAt: undefined, finalizers: ['example.com/x'] })], 3),
          remainingKind('Lease.coordination.k8s.io', [remainingObject('l')]),
        ],
      },
      [
        cause(
          'ending',
          'Pod web-1 is deleted and ends',
          'wait for their grace period; a pod that stays longer is on a node whose kubelet is away, which kubectl get nodes shows',
        ),
        cause('ending', 'Lease.coordination.k8s.io l is deleted and ends', 'wait a moment'),
        cause(
          'undeleted',
          'not deleted yet: Secret (4)',
          'see the reasons above; without one, see whether kube-controller-manager runs',
        ),
      ],
    ],
    [
      'by a finalizer of its own',
      { finalizers: ['example.com/tenant'] },
      [
        cause(
          'own-finalizer',
          'the Namespace itself has finalizer example.com/tenant',
          'see whether what put it there still runs: only that may take it away',
        ),
      ],
    ],
    [
      'by what could not be read',
      { unread: [{ what: 'all of metrics/v1', reason: 'discovery of metrics/v1: 503' }] },
      [
        cause(
          'unreadable',
          'all of metrics/v1 cannot be read: discovery of metrics/v1: 503',
          'see why the API server does not answer for it: what there is of it is unknown, and may hold the namespace',
        ),
      ],
    ],
    [
      'by nothing that is left',
      {},
      [
        cause(
          'almost-gone',
          'nothing is left in it, and nothing holds it',
          'wait a moment; if it stays, see whether kube-controller-manager runs',
        ),
      ],
    ],
  ];
  test.each(rows)('%s', (_, fields, causes) => {
    const explanation = explainNamespace(terminating(fields));
    expect(explanation.causes).toEqual(causes);
    expect(explanation).toMatchObject({ namespace: 'team-a', state: 'terminating', leftOut: 0 });
  });

  const finalizersOf = (fields: Partial<NamespaceFacts>) =>
    explainNamespace(terminating(fields)).causes.map(({ what }) => what.replace(/: .*/, ''));

  test('by each finalizer with those objects only that have it', () => {
    const remaining = [remainingKind('ConfigMap', [held('a', 'x.test/a'), held('b', 'x.test/b')])];
    expect(finalizersOf({ remaining })).toEqual([
      'ConfigMap a held by finalizer x.test/a',
      'ConfigMap b held by finalizer x.test/b',
    ]);
  });

  test('without the dependents of another owner', () => {
    const owners = [{ kind: 'Job', name: 'other', uid: 'other-uid', blocks: true }];
    const remaining = [
      remainingKind('Job.batch', [held('setup', 'foregroundDeletion')]),
      remainingKind('Pod', [held('p', 'x.test/a', { owners })]),
    ];
    expect(explainNamespace(terminating({ remaining })).causes[0]?.next).toBe('see what keeps its dependents');
  });

  test('by what is beyond the objects that were looked at: it may not be deleted yet', () => {
    const remaining = [
      remainingKind('Pod', [held('p', 'x.test/a')], 7),
      remainingKind('Secret', [remainingObject('s', { deletedAt: undefined })]),
    ];
    expect(finalizersOf({ remaining })).toEqual(['Pod p held by finalizer x.test/a', 'not deleted yet']);
    expect(explainNamespace(terminating({ remaining })).causes[1]?.what).toBe('not deleted yet: Pod (7), Secret (1)');
  });

  test('with how much is left of it', () => {
    const remaining = [workload('a', 'b'), remainingKind('Pod', [remainingObject('p')], 40)];
    expect(explainNamespace(terminating({ remaining })).summary).toBe(
      'namespace team-a is terminating since 2026-01-01T00:00:00Z: 43 objects of 2 kinds left',
    );
  });

  test('by the twenty first reasons, and how many more there are', () => {
    const unread = Array.from({ length: 23 }, (_, i) => ({ what: `kind ${i}`, reason: 'x' }));
    const { causes, leftOut } = explainNamespace(terminating({ unread }));
    expect([causes.length, leftOut]).toEqual([20, 3]);
  });
});

describe('an active namespace', () => {
  test('is converged when nothing in it waits for anything', () => {
    const other = remainingKind('ConfigMap', [
      remainingObject('a', { deletedAt: undefined, finalizers: ['example.com/x'] }),
    ]);
    const unavailableServices = [{ name: 'v1.metrics', service: undefined, message: 'x' }];
    expect(explainNamespace(namespaceFacts({ remaining: [other], unavailableServices }))).toEqual({
      namespace: 'team-a',
      state: 'converged',
      summary: 'namespace team-a is converged: nothing in it waits for anything',
      causes: [],
      leftOut: 0,
    });
  });

  test('is not converged by what its objects say, and by what is stuck in it', () => {
    const faults = [{ object: 'Pod web-1', detail: 'ImagePullBackOff' }];
    expect(explainNamespace(namespaceFacts({ faults, remaining: [workload('a')] }))).toMatchObject({
      state: 'not-converged',
      summary: 'namespace team-a is not converged: 2 reasons',
      causes: [
        { code: 'namespace.finalizer' },
        cause('not-converged', 'Pod web-1: ImagePullBackOff', 'kubectl -n team-a describe pod/web-1'),
      ],
    });
  });

  test('is not called converged when a part of it could not be read', () => {
    const unread = [{ what: 'Pod', reason: '403' }];
    expect(explainNamespace(namespaceFacts({ unread }))).toMatchObject({
      state: 'not-converged',
      summary: 'namespace team-a is not converged: 1 reason',
    });
  });
});
