import { describe, expect, it, test } from 'vitest';
import { absent, unreadable } from '../../src/core/outcome.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { DrainSnapshot, NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import {
  clusterQueues,
  grant,
  indexed,
  localQueues,
  namespace,
  now,
  onWorkspace,
  ownedAccount,
  ownedClusterQueue,
  ownedLocalQueue,
  readsBut,
  snapshot,
  words,
} from '../builders/drain.js';
import { conditions, queued, runsAs, work, workload } from '../builders/work.js';

const owned = {
  localQueues: [ownedLocalQueue('own')],
  accounts: [ownedAccount('sa')],
  grants: [],
};
const queues = {
  localQueues: localQueues({ q: 'cq', own: 'tau-ws-vision', free: 'open' }),
};
/** A workspace that owns a LocalQueue, a ClusterQueue and an account, beside external queues: `q` needs the labels, `free` does not. */
const whole = (of: Partial<NamespaceSnapshot> = {}, over: Parameters<typeof snapshot>[0] = {}): DrainSnapshot =>
  snapshot({
    clusterQueues: clusterQueues({ cq: onWorkspace, 'tau-ws-vision': {}, open: {} }),
    clusterQueue: ownedClusterQueue(),
    namespaces: [namespace({ ...queues, owned, ...of })],
    ...over,
  });
const decide = (of: DrainSnapshot) => decideRelease(of, { nowMs: now });

describe('table 13.1: what keeps each object', () => {
  const free = {
    labels: 'release',
    'LocalQueue/own': 'release',
    'ServiceAccount/sa': 'release',
    'ClusterQueue/tau-ws-vision': 'release',
  };
  const runningPod = work('Pod', { spec: { serviceAccountName: 'sa' }, status: { phase: 'Running' } });
  test.each<[string, DrainSnapshot, Partial<Record<string, string>>]>([
    ['nothing left', whole(), free],
    ['a Workload whose route needs the labels', whole({ work: indexed(workload('q')) }), { ...free, labels: 'keep' }],
    ['a Job whose route needs them', whole({ work: indexed(queued('Job', 'q')) }), { ...free, labels: 'keep' }],
    ['a Workload on an external queue that needs nothing', whole({ work: indexed(workload('free')) }), free],
    [
      'a Workload on the owned queues, which need nothing',
      whole({ work: indexed(workload('own')) }),
      { ...free, 'LocalQueue/own': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'a Job on them',
      whole({ work: indexed(queued('Job', 'own')) }),
      { ...free, 'LocalQueue/own': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'quota held in the owned ClusterQueue by work of another queue',
      whole({ work: indexed(workload('free', { admittedTo: 'tau-ws-vision' })) }),
      { ...free, 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'work on the owned LocalQueue that holds quota elsewhere',
      whole({ work: indexed(workload('own', { admittedTo: 'open' })) }),
      { ...free, 'LocalQueue/own': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'a running Pod of the account, in no queue',
      whole({ work: indexed(runningPod) }),
      { ...free, 'ServiceAccount/sa': 'keep' },
    ],
    ['a running Pod of another account', whole({ work: indexed(work('Pod', { spec: {} })) }), free],
    [
      'an unfinished Job of the account',
      whole({ work: indexed(work('Job', { spec: { template: runsAs('sa') } })) }),
      { ...free, 'ServiceAccount/sa': 'keep' },
    ],
    [
      'a finished Job of the account',
      whole({ work: indexed(work('Job', { spec: { template: runsAs('sa') }, status: conditions('Complete') })) }),
      free,
    ],
    [
      'a Deployment of the account, scaled to nothing',
      whole({ work: indexed(work('Deployment', { spec: { template: runsAs('sa') } })) }),
      { ...free, 'ServiceAccount/sa': 'keep' },
    ],
    [
      'a Workload whose pods are the account’s',
      whole({ work: indexed(workload('free', { spec: { podSets: [{ template: runsAs('sa') }] } })) }),
      { ...free, 'ServiceAccount/sa': 'keep' },
    ],
    [
      'work that may run as any account',
      whole({ work: indexed(work('TrainJob')) }),
      { ...free, 'ServiceAccount/sa': 'keep' },
    ],
    [
      'a RayJob that Kueue ignores, on the labels’ queue',
      whole({ work: indexed(queued('RayJob', 'q', { spec: { clusterSelector: { a: 'b' } } })) }),
      free,
    ],
    [
      'a kind that cannot be listed',
      whole({ reads: readsBut('Job', unreadable('403', false)) }),
      { labels: 'keep', 'LocalQueue/own': 'keep', 'ServiceAccount/sa': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'a kind that was not listed',
      whole({ reads: new Map([...namespace().reads].slice(1)) }),
      { labels: 'keep', 'LocalQueue/own': 'keep', 'ServiceAccount/sa': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    ['an optional kind that is not served', whole({ reads: readsBut('RayJob', absent) }), free],
    [
      'a kind of every cluster that is not served',
      whole({ reads: readsBut('Job', absent) }),
      { labels: 'keep', 'ServiceAccount/sa': 'keep' },
    ],
    [
      'Workloads not served beside a Kueue that is there',
      whole({ reads: readsBut('Workload', absent) }),
      { labels: 'keep', 'LocalQueue/own': 'keep', 'ServiceAccount/sa': 'keep' },
    ],
    [
      'an object that cannot be understood',
      whole({ work: indexed(work('Job', { status: { conditions: {} } })) }),
      { labels: 'keep', 'LocalQueue/own': 'keep', 'ServiceAccount/sa': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'Kueue unreadable',
      whole({}, { kueue: unreadable('503', true) }),
      { labels: 'keep', 'LocalQueue/own': 'keep', 'ServiceAccount/sa': 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'a LocalQueue that cannot be read',
      whole({ work: indexed(workload('q')), localQueues: new Map([['q', unreadable('403', false)]]) }),
      { ...free, labels: 'keep', 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
    [
      'the owned LocalQueue replaced between two reads',
      whole({
        localQueues: localQueues({ own: 'tau-ws-vision' }),
        owned: { ...owned, localQueues: [{ ...ownedLocalQueue('own'), uid: 'earlier' }] },
      }),
      { ...free, 'LocalQueue/own': 'keep' },
    ],
    [
      'the owned ClusterQueue under another UID than recorded',
      whole({}, { recorded: new Map([['tau-ws-vision', 'earlier']]) }),
      { ...free, 'ClusterQueue/tau-ws-vision': 'keep' },
    ],
  ])('%s', (_, of, expected) => {
    expect(words(decide(of))).toMatchObject(expected);
    const clean = Object.values(expected).every((each) => each === 'release');
    expect(words(decide(of))).toMatchObject({ finalizer: 'keep', marks: 'keep', grants: 'remove' });
    expect(decide(of).blockers.some((each) => each.kind !== 'LocalQueue' || each.class === 'unreadable')).toBe(true);
    if (clean) expect(decide(of).reason).toBe('Drained');
  });

  it('the marks go last: not before every owned object is seen gone', () => {
    const gone = namespace({ owned: { localQueues: [], accounts: [], grants: [] } });
    const kept = (of: Partial<NamespaceSnapshot['owned']>, over = {}) =>
      words(decide(snapshot({ namespaces: [{ ...gone, owned: { ...gone.owned, ...of } }], ...over })))['marks'];
    expect(kept({})).toBe('release');
    expect(kept({ localQueues: [ownedLocalQueue('own')] })).toBe('keep');
    expect(kept({ accounts: [ownedAccount('sa')] })).toBe('keep');
    expect(kept({ accounts: [ownedAccount('sa', true)] })).toBe('keep');
    expect(kept({ grants: [grant] })).toBe('keep');
    expect(kept({}, { clusterQueue: ownedClusterQueue() })).toBe('keep');
  });

  it('the finalizer goes when live reads show nothing at all', () => {
    const bare = namespace({ labels: { zone: 'a' }, annotations: {} });
    expect(words(decide(snapshot({ namespaces: [bare] })))).toMatchObject({ marks: 'release', finalizer: 'release' });
    expect(words(decide(snapshot({ namespaces: [] })))).toEqual({ finalizer: 'release' });
    expect(words(decide(snapshot({ namespaces: [], grants: [grant] })))).toEqual({ finalizer: 'keep' });
    expect(words(decide(snapshot({ namespaces: [], clusterQueue: ownedClusterQueue() })))).toMatchObject({
      finalizer: 'keep',
    });
    expect(words(decide(snapshot({ namespaces: [], kueue: unreadable('503', true) })))).toEqual({ finalizer: 'keep' });
    const marked = decide(snapshot());
    expect(words(marked)).toMatchObject({ marks: 'release', finalizer: 'keep' });
    expect(marked.finalizer).toMatchObject({ count: 1, blockers: [{ kind: 'Namespace', name: 'train' }] });
  });

  it('nothing is released by cached evidence', () => {
    expect(words(decide(whole({}, { evidence: 'cached' })))).toMatchObject({
      labels: 'confirm',
      'LocalQueue/own': 'confirm',
      'ServiceAccount/sa': 'confirm',
      'ClusterQueue/tau-ws-vision': 'confirm',
    });
    expect(words(decide(snapshot({ evidence: 'cached', namespaces: [] })))).toEqual({ finalizer: 'confirm' });
    expect(words(decide(whole({ work: indexed(workload('q')) }, { evidence: 'cached' })))).toMatchObject({
      labels: 'keep',
    });
  });

  it('says with each key and object what it is', () => {
    const plan = decide(whole({ resourceVersion: '42' }));
    expect(plan.namespaces[0]).toMatchObject({
      name: 'train',
      uid: 'uid-of-train',
      resourceVersion: '42',
      leaving: {
        routingLabels: {
          keys: [
            'app.kubernetes.io/managed-by',
            'tau.azure.com/team',
            'tau.azure.com/local-queue',
            'kueue.x-k8s.io/default-local-queue',
          ],
        },
        marks: { keys: { labels: ['tau.azure.com/workspace'], annotations: ['tau.azure.com/owner-uid'] } },
      },
    });
  });
});

describe('an obsolete account', () => {
  const pod = work('Pod', { spec: { serviceAccountName: 'old' }, status: { phase: 'Running' } });
  const of = (over: object = {}) =>
    snapshot({
      workspace: { deleting: false },
      namespaces: [
        namespace({
          work: indexed(pod),
          owned: { localQueues: [], accounts: [ownedAccount('old', true)], grants: [grant] },
          ...over,
        }),
      ],
    });

  it('goes at once, whoever runs as it, and says who that is', () => {
    const [account] = decide(of()).namespaces[0]?.accounts ?? [];
    expect(account).toMatchObject({
      decision: { kind: 'release' },
      affectedCount: 1,
      affected: [{ kind: 'Pod', name: 'a-pod' }],
    });
  });

  it('goes by cached evidence and with everything unreadable', () => {
    const plan = decide({ ...of({ reads: new Map() }), evidence: 'cached' });
    expect(words(plan)['ServiceAccount/old']).toBe('release');
  });

  it('leaves no grant while it can still be read, and lets none be written', () => {
    const plan = decide(of());
    expect([words(plan)['grants'], plan.mayGrant, plan.reason]).toEqual(['remove', false, 'IdentityRevocationPending']);
    const after = decide(
      of({ owned: { localQueues: [], accounts: [], grants: [grant] }, work: indexed(workload('q')) }),
    );
    expect([words(after)['grants'], after.mayGrant, after.reason]).toEqual(['narrow', true, 'AcceptedWork']);
  });

  it('of the present target goes too, and nothing else there does', () => {
    const plan = decide(of({ leaving: false }));
    expect(words(plan)).toEqual({ 'ServiceAccount/old': 'release' });
    expect(plan.mayGrant).toBe(false);
  });
});

describe('researcher grants', () => {
  const owns = { owned: { localQueues: [], accounts: [], grants: [grant] } };
  const access = (busy: boolean, workspace: object, over = {}) =>
    words(
      decide(
        snapshot({
          workspace,
          namespaces: [namespace({ ...owns, work: busy ? indexed(workload('q')) : indexed() })],
          ...over,
        }),
      ),
    )['grants'];
  test.each<[string, string | undefined, string]>([
    ['a deletion', access(true, { deleting: true }), 'remove'],
    ['a retarget with work left', access(true, { deleting: false }), 'narrow'],
    ['a retarget with nothing left', access(false, { deleting: false }), 'remove'],
    [
      'a retarget with nothing left, by cached evidence',
      access(false, { deleting: false }, { evidence: 'cached' }),
      'narrow',
    ],
    ['a retarget of a workspace that grants nothing', access(true, { deleting: false, clusterWide: true }), 'remove'],
  ])('on %s', (_, word, expected) => {
    expect(word).toBe(expected);
  });
});

describe('a blocker', () => {
  const only = (of: Partial<NamespaceSnapshot>, over: Parameters<typeof snapshot>[0] = {}) => {
    const [first] = decide(snapshot({ namespaces: [namespace(of)], ...over })).blockers;
    return first;
  };
  const ended = 'it is finished or deleted';
  test.each<[string, ReturnType<typeof only>, object]>([
    [
      'a running Workload',
      only({ work: indexed(workload('q', { admittedTo: 'cq' })) }),
      {
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        kind: 'Workload',
        namespace: 'train',
        name: 'a-workload',
        uid: 'uid-of-a-workload',
        queue: 'q',
        clusterQueue: 'cq',
        labelKeys: ['tau.azure.com/workspace'],
        class: 'running',
        release: ended,
      },
    ],
    [
      'a pending Job',
      only({ work: indexed(queued('Job', 'q')) }),
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        namespace: 'train',
        name: 'a-job',
        uid: 'uid-of-a-job',
        queue: 'q',
        clusterQueue: 'cq',
        labelKeys: ['tau.azure.com/workspace'],
        class: 'pending',
        release: ended,
      },
    ],
    [
      'what never ends',
      only({ work: indexed(queued('RayService', 'q')) }),
      { class: 'pending', release: 'it is deleted: it does not end by itself' },
    ],
    [
      'what is stuck',
      only({ work: indexed(queued('RayJob', 'q', { status: { jobDeploymentStatus: 'ValidationFailed' } })) }),
      { class: 'needs-operator', release: 'its spec is invalid: mend it or delete it' },
    ],
    [
      'a Workload whose Job is gone',
      only({
        work: indexed(
          workload('q', {
            metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }] },
          }),
        ),
      }),
      { class: 'needs-operator', release: 'what it belongs to is gone: delete it' },
    ],
    [
      'a Workload of a group with one Pod left',
      only({
        work: indexed(
          work('Pod', { status: { phase: 'Failed' } }),
          workload('q', {
            metadata: {
              ownerReferences: [
                { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' },
                { apiVersion: 'v1', kind: 'Pod', name: 'a-pod', uid: 'uid-of-a-pod' },
              ],
            },
          }),
        ),
      }),
      { kind: 'Workload', class: 'pending' },
    ],
    [
      'a Workload of a Job of another group',
      only({
        work: indexed(
          work('Job', { metadata: { name: 'j', uid: 'u' }, status: conditions('Failed') }),
          workload('q', {
            metadata: { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Job', name: 'j', uid: 'u' }] },
          }),
        ),
      }),
      { kind: 'Workload', class: 'pending' },
    ],
    [
      'a Workload whose owner’s kind was not served',
      only({
        reads: readsBut('RayJob', absent),
        work: indexed(
          workload('q', {
            metadata: { ownerReferences: [{ apiVersion: 'ray.io/v1', kind: 'RayJob', name: 'j', uid: 'u' }] },
          }),
        ),
      }),
      { kind: 'Workload', class: 'pending' },
    ],
    ['a Workload that is made before its owner', only({ work: indexed(workload('q')) }), { class: 'pending' }],
    [
      'pending work on a stopped queue',
      only({
        work: indexed(workload('q')),
        localQueues: new Map([['q', { kind: 'found', value: { uid: 'u', clusterQueue: 'cq', stopped: true } }]]),
      }),
      { class: 'needs-operator', release: 'queue q is stopped, so it will not start: open the queue or delete it' },
    ],
    [
      'running work on a stopped queue',
      only({
        work: indexed(workload('q', { admittedTo: 'cq' })),
        localQueues: new Map([['q', { kind: 'found', value: { uid: 'u', clusterQueue: 'cq', stopped: true } }]]),
      }),
      { class: 'running', release: ended },
    ],
    [
      'a Pod that should be gone',
      only({
        work: indexed(
          work('Pod', {
            metadata: {
              labels: { 'kueue.x-k8s.io/queue-name': 'q', 'kueue.x-k8s.io/managed': 'true' },
              deletionTimestamp: '2025-12-31T23:54:59Z',
            },
            status: { phase: 'Running' },
          }),
        ),
      }),
      {
        class: 'needs-operator',
        release: 'it should have been gone at 2025-12-31T23:54:59.000Z: look at its finalizers and its node',
      },
    ],
    [
      'a Pod that is on its way',
      only({
        work: indexed(
          work('Pod', {
            metadata: {
              labels: { 'kueue.x-k8s.io/queue-name': 'q', 'kueue.x-k8s.io/managed': 'true' },
              deletionTimestamp: '2025-12-31T23:55:00Z',
            },
            status: { phase: 'Running' },
          }),
        ),
      }),
      { class: 'running', release: ended },
    ],
    [
      'work on another cluster',
      only(
        {
          work: indexed(workload('free', { status: { clusterName: 'west' } })),
          localQueues: localQueues({ free: 'open' }),
        },
        { clusterQueues: clusterQueues({ open: {} }) },
      ),
      { class: 'pending', release: 'it is finished on cluster west or deleted' },
    ],
    [
      'a kind that cannot be listed',
      only({ reads: readsBut('RayJob', unreadable('403 Forbidden', false)) }),
      {
        apiVersion: 'ray.io/v1',
        kind: 'RayJob',
        namespace: 'train',
        name: '*',
        class: 'unreadable',
        release: 'rayjobs can be listed: 403 Forbidden',
      },
    ],
    [
      'a queue that cannot be read',
      only({ work: indexed(workload('q')), localQueues: new Map([['q', unreadable('503', true)]]) }),
      {
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        kind: 'LocalQueue',
        namespace: 'train',
        name: 'q',
        class: 'unreadable',
        release: 'it can be read: 503',
      },
    ],
    [
      'an object that cannot be understood',
      only({ work: indexed(work('Job', { spec: { suspend: 'yes' } })) }),
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        namespace: 'train',
        name: 'a-job',
        uid: 'uid-of-a-job',
        class: 'unreadable',
        release: 'it can be understood (suspend is no boolean) or is deleted',
      },
    ],
    [
      'Kueue gone',
      only({}, { kueue: absent }),
      {
        kind: 'APIGroup',
        name: 'kueue.x-k8s.io',
        class: 'needs-operator',
        release: 'Kueue is installed again, or an operator acknowledges that the workspace’s queues are gone',
      },
    ],
    [
      'a ClusterQueue that was replaced',
      only({ work: indexed(workload('q')) }, { recorded: new Map([['cq', 'earlier']]) }),
      { kind: 'ClusterQueue', name: 'cq', uid: 'uid-of-cq', class: 'needs-operator' },
    ],
    [
      'a ClusterQueue on its way',
      only({}, { clusterQueue: ownedClusterQueue(true) }),
      {
        kind: 'ClusterQueue',
        name: 'tau-ws-vision',
        class: 'running',
        release: 'Kueue takes its finalizer off: no Workload holds its quota',
      },
    ],
    [
      'another object on its way',
      only({ owned: { localQueues: [{ ...ownedLocalQueue('own'), deleting: true }], accounts: [], grants: [] } }),
      { kind: 'LocalQueue', class: 'running', release: 'its finalizers are taken off' },
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toMatchObject(expected);
  });

  it('lists are in one order, whatever the order of the reads, and of the first; the count is of all', () => {
    const objects = [
      ...Array.from({ length: 40 }, (_, at) =>
        workload('q', { metadata: { name: `w-${String(at).padStart(2, '0')}` } }),
      ),
      queued('RayJob', 'q', { status: { jobDeploymentStatus: 'ValidationFailed' } }),
      workload('q', { admittedTo: 'cq', metadata: { name: 'runs' } }),
      queued('Job', 'q', { spec: { template: runsAs('other') } }),
      work('Job', { metadata: { name: 'broken' }, spec: 1 as unknown as object }),
    ];
    const plan = (of: typeof objects) =>
      decide(
        snapshot({
          namespaces: [namespace({ work: indexed(...of), reads: readsBut('Pod', unreadable('403', false)) })],
        }),
      );
    const [one, other] = [plan(objects), plan([...objects].reverse())];
    expect(one.blockers).toEqual(other.blockers);
    expect(one.blockers.slice(0, 6).map((each) => `${each.kind}/${each.name}`)).toEqual([
      'Pod/*',
      'Job/broken',
      'RayJob/a-rayjob',
      'Workload/runs',
      'Job/a-job',
      'Workload/w-00',
    ]);
    expect([one.blockers.length, one.blockerCount]).toEqual([32, 45]);
    expect(
      decideRelease(snapshot({ namespaces: [namespace({ work: indexed(...objects) })] }), {
        nowMs: now,
        listed: Number.POSITIVE_INFINITY,
      }).blockers,
    ).toHaveLength(44);
  });

  it('of several namespaces each counts once and names its own', () => {
    const twice = snapshot({
      namespaces: [
        namespace({ work: indexed(workload('q')) }),
        namespace({ name: 'attic', uid: 'x', work: indexed(workload('q')) }),
      ],
      clusterQueue: ownedClusterQueue(),
    });
    const plan = decide(twice);
    expect(plan.blockers.slice(0, 2).map((each) => each.namespace)).toEqual(['attic', 'train']);
    expect(plan.blockerCount).toBe(3);
  });
});
