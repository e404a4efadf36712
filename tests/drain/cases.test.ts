import { describe, expect, it } from 'vitest';
import { absent, type Outcome, unreadable } from '../../src/core/outcome.js';
import { withoutWork, withWork } from '../../src/drain/index/changeIndex.js';
import type { WorkIndex } from '../../src/drain/index/workIndex.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import type { LocalQueueFacts } from '../../src/drain/routes/queueFacts.js';
import { readWork } from '../../src/drain/sources/readWork.js';
import { rankOf } from '../../src/drain/sources/table.js';
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
import {
  type AnyObject,
  conditions,
  controlledBy,
  managedLabels,
  queued,
  queueLabel,
  rowOf,
  runsAs,
  work,
  workload,
} from '../builders/work.js';

/**
 * The scenarios of the workspace drain as far as the decision alone decides them, for a deletion and for a retarget. What they need of a
 * cluster (writes, order of writes, restarts, preconditions on a real API server) is in the lab's tests under the same names. Not here at all:
 * X1 (a real API server), X2 (a crash between two writes), X10 (the controller's grants), X11 (selectors.test.ts), X12 (tests/contract).
 */
const owned = { localQueues: [], accounts: [ownedAccount('sa')], grants: [grant] };

describe.each([
  ['deletion', true],
  ['retarget', false],
])('%s', { timeout: 60_000 }, (_, deleting) => {
  const plan = (of: Partial<NamespaceSnapshot>, over: Parameters<typeof snapshot>[0] = {}) => {
    const given = snapshot({
      namespaces: [namespace({ owned, ...of })],
      ...over,
      workspace: { deleting, ...over.workspace },
    });
    const first = decideRelease(given, { nowMs: now });
    // A second look at the same things says the same.
    expect(decideRelease(given, { nowMs: now })).toEqual(first);
    return first;
  };
  const says = (of: Partial<NamespaceSnapshot>, over: Parameters<typeof snapshot>[0] = {}) => words(plan(of, over));
  const keepsLabels = (...objects: readonly AnyObject[]) => says({ work: indexed(...objects) })['labels'];

  it('D1: an unfinished Workload on a label-dependent queue keeps labels and the identity of its pods; its end releases both', () => {
    const of = (over: object) => workload('q', { spec: { podSets: [{ template: runsAs('sa') }] }, ...over });
    expect(says({ work: indexed(of({})) })).toMatchObject({ labels: 'keep', 'ServiceAccount/sa': 'keep' });
    expect(says({ work: indexed(of({ admittedTo: 'cq' })) })).toMatchObject({
      labels: 'keep',
      'ServiceAccount/sa': 'keep',
    });
    expect(says({ work: indexed(of({ status: conditions('Finished') })) })).toMatchObject({
      labels: 'release',
      'ServiceAccount/sa': 'release',
    });
  });

  it('D2: Job, RayJob, RayService and Deployment each keep the labels before any Workload exists', () => {
    for (const kind of ['Job', 'RayJob', 'RayService'])
      expect([kind, keepsLabels(queued(kind, 'q'))]).toEqual([kind, 'keep']);
    expect(keepsLabels(work('Deployment', { spec: { template: { metadata: { labels: managedLabels('q') } } } }))).toBe(
      'keep',
    );
  });

  it('D3: between a Job and its Workload nothing is unprotected, whichever is seen first', () => {
    const job = queued('Job', 'q');
    const made = workload('q', { metadata: controlledBy(job) });
    const of = (index: WorkIndex) => says({ work: index })['labels'];
    const read = (object: AnyObject) => readWork(rowOf(object.kind), object);
    const withJob = indexed(job);
    const withBoth = withWork(withJob, read(made));
    const withWorkload = withoutWork(withBoth, { rank: rankOf(rowOf('Job')), name: job.metadata.name });
    expect([withJob, withBoth, withWorkload, indexed(made)].map(of)).toEqual(['keep', 'keep', 'keep', 'keep']);
    const ended = withWork(withBoth, read({ ...made, status: conditions('Finished') }));
    expect([of(ended), of(withWork(ended, read({ ...job, status: conditions('Complete') })))]).toEqual([
      'keep',
      'release',
    ]);
  });

  it('D4: the finished Workload of an older Job of that name excuses nothing', () => {
    const old = workload('q', {
      metadata: controlledBy({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a-job', uid: 'older' } }),
      status: conditions('Finished'),
    });
    expect(keepsLabels(queued('Job', 'q'), old)).toBe('keep');
  });

  it('D5: a RayJob whose driver failed keeps while a retry may come; Complete and Failed release', () => {
    const of = (jobDeploymentStatus: string) =>
      keepsLabels(queued('RayJob', 'q', { status: { jobStatus: 'FAILED', jobDeploymentStatus } }));
    expect(['Running', 'Retrying', 'Waiting', 'Suspended', 'ValidationFailed'].map(of)).toEqual([
      'keep',
      'keep',
      'keep',
      'keep',
      'keep',
    ]);
    expect(['Complete', 'Failed'].map(of)).toEqual(['release', 'release']);
  });

  it('D5: the RayCluster that lives on after its RayJob, with the same label, needs the identity and no route', () => {
    const job = queued('RayJob', 'q', { status: { jobDeploymentStatus: 'Complete' } });
    const cluster = queued('RayCluster', 'q', {
      metadata: controlledBy(job),
      spec: { headGroupSpec: { template: runsAs('sa') } },
    });
    expect(says({ work: indexed(job, cluster) })).toMatchObject({ labels: 'release', 'ServiceAccount/sa': 'keep' });
  });

  it('D6: a RayService keeps after its Workload is finished; its deletion releases', () => {
    const service = queued('RayService', 'q');
    const ended = workload('q', { metadata: controlledBy(service), status: conditions('Finished') });
    expect(keepsLabels(service, ended)).toBe('keep');
    expect(
      keepsLabels({ ...service, metadata: { ...service.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }, ended),
    ).toBe('keep');
    expect(keepsLabels(ended)).toBe('release');
  });

  it('D7: a Deployment by its template; scaled to nothing, paused, deleting and with finished pods it keeps', () => {
    const spec = { template: { metadata: { labels: managedLabels('q') } } };
    const ended = workload('q', { status: conditions('Finished') });
    expect(keepsLabels(queued('Deployment', 'q'))).toBe('release');
    expect(keepsLabels(work('Deployment', { spec: { template: { metadata: { labels: queueLabel('q') } } } }))).toBe(
      'release',
    );
    expect(keepsLabels(work('Deployment', { spec: { ...spec, replicas: 0 } }))).toBe('keep');
    expect(keepsLabels(work('Deployment', { spec: { ...spec, paused: true } }))).toBe('keep');
    expect(keepsLabels(work('Deployment', { spec, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).toBe(
      'keep',
    );
    expect(keepsLabels(work('Deployment', { spec }), ended)).toBe('keep');
  });

  it('D8: routes are found with nothing recorded', () => {
    expect(
      says({ work: indexed(workload('q')) }, { recorded: new Map(), workspace: { hadQueues: false } })['labels'],
    ).toBe('keep');
  });

  it('D9: selector {}, a selector on other labels, no LocalQueue, no ClusterQueue: no wait', () => {
    const given = { work: indexed(workload('q')) };
    expect(says(given, { clusterQueues: clusterQueues({ cq: {} }) })['labels']).toBe('release');
    expect(says(given, { clusterQueues: clusterQueues({ cq: { matchLabels: { zone: 'a' } } }) })['labels']).toBe(
      'release',
    );
    expect(says({ ...given, localQueues: new Map<string, Outcome<LocalQueueFacts>>([['q', absent]]) })['labels']).toBe(
      'release',
    );
    expect(says(given, { clusterQueues: new Map([['cq', absent]]) })['labels']).toBe('release');
  });

  it('D10: 403 or 500 on any kind, a queue that cannot be read, a bad selector: wait, and nothing is taken off', () => {
    for (const kind of ['Workload', 'Job', 'RayJob', 'RayService', 'Deployment', 'Pod'])
      for (const outcome of [unreadable('403', false), unreadable('500', true)])
        expect(says({ reads: readsBut(kind, outcome) })).toMatchObject({
          labels: 'keep',
          marks: 'keep',
          'ServiceAccount/sa': 'keep',
        });
    const given = { work: indexed(workload('q')) };
    expect(says(given, { clusterQueues: new Map([['cq', unreadable('500', true)]]) })['labels']).toBe('keep');
    expect(
      says(given, { clusterQueues: clusterQueues({ cq: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }) })[
        'labels'
      ],
    ).toBe('keep');
  });

  it('D11: Ray kinds are absent one by one; forbidden is not absent', () => {
    for (const [kind, other] of [
      ['RayJob', 'RayService'],
      ['RayService', 'RayJob'],
    ] as const) {
      expect(says({ reads: readsBut(kind, absent) })['labels']).toBe('release');
      expect(says({ reads: readsBut(kind, absent), work: indexed(queued(other, 'q')) })['labels']).toBe('keep');
      expect(says({ reads: readsBut(kind, unreadable('403', false)) })['labels']).toBe('keep');
    }
  });

  it('D12: a ClusterQueue under another UID than recorded: wait', () => {
    const given = { work: indexed(workload('q')) };
    const open = { clusterQueues: clusterQueues({ cq: {} }) };
    expect(says(given, { ...open, recorded: new Map([['cq', 'earlier']]) })['labels']).toBe('keep');
    expect(says(given, { ...open, recorded: new Map([['cq', 'uid-of-cq']]) })['labels']).toBe('release');
  });

  it('D13: a LocalQueue that leads elsewhere now: the admitting and the present queue are both judged', () => {
    const given = { work: indexed(workload('q', { admittedTo: 'old' })), localQueues: localQueues({ q: 'new' }) };
    const of = (old: object, present: object) =>
      says(given, { clusterQueues: clusterQueues({ old, new: present }) })['labels'];
    expect([of(onWorkspace, {}), of({}, onWorkspace), of({}, {})]).toEqual(['keep', 'keep', 'release']);
  });

  it('D14, D15: researchers’ grants never wait: gone on deletion and in cluster-wide mode, narrowed on retarget', () => {
    const busy = { work: indexed(workload('q')) };
    expect(says(busy)['grants']).toBe(deleting ? 'remove' : 'narrow');
    expect(says({ reads: new Map() })['grants']).toBe(deleting ? 'remove' : 'narrow');
    expect(says(busy, { workspace: { clusterWide: true } })['grants']).toBe('remove');
  });

  it('D16: an identity that was renamed, re-pointed or removed is revoked during the drain, before anything is granted', () => {
    const pod = work('Pod', { spec: { serviceAccountName: 'old' } });
    const given = plan({
      work: indexed(workload('q'), pod),
      owned: { ...owned, accounts: [ownedAccount('old', true), ownedAccount('sa')] },
    });
    expect(words(given)).toMatchObject({
      labels: 'keep',
      'ServiceAccount/old': 'release',
      'ServiceAccount/sa': 'release',
      grants: 'remove',
    });
    expect(given.mayGrant).toBe(false);
  });

  it('D17: an account whose deletion a finalizer holds leaves no grant; gone, the namespace that is retained gets its own back, narrowed', () => {
    const held = { ...owned, accounts: [{ ...ownedAccount('old', true), deleting: true }] };
    const given = plan({ work: indexed(workload('q')), owned: held });
    expect([words(given)['grants'], given.mayGrant, given.reason]).toEqual([
      'remove',
      false,
      'IdentityRevocationPending',
    ]);
    const recovered = plan({ work: indexed(workload('q')), owned: { ...owned, accounts: [] } });
    expect([words(recovered)['grants'], recovered.mayGrant]).toEqual([deleting ? 'remove' : 'narrow', true]);
  });

  it('D18: after the drain all that is stale goes', () => {
    const all = { ...owned, localQueues: [ownedLocalQueue('own')] };
    expect(says({ owned: all })).toMatchObject({
      labels: 'release',
      'LocalQueue/own': 'release',
      'ServiceAccount/sa': 'release',
      grants: 'remove',
      marks: 'keep',
    });
    expect(says({ owned: { localQueues: [], accounts: [], grants: [] } })).toMatchObject({
      labels: 'release',
      marks: 'release',
    });
  });

  it('D19: only what the workspace owns is ever decided on, and no external queue is', () => {
    const objects = Object.keys(says({ work: indexed(workload('q', { admittedTo: 'cq' })) }));
    expect(objects.filter((each) => each.includes('Queue'))).toEqual([]);
  });

  it('X3: work that was made after the check is caught by the second look, which names the version it rests on', () => {
    const before = plan({ resourceVersion: '7' });
    const after = plan({ resourceVersion: '7', work: indexed(queued('Job', 'q')) });
    expect([words(before)['labels'], words(after)['labels']]).toEqual(['release', 'keep']);
    expect(before.namespaces[0]).toMatchObject({ uid: 'uid-of-train', resourceVersion: '7' });
  });

  it('X4: of A, B, C each is judged by its own work', () => {
    const given = decideRelease(
      snapshot({
        workspace: { deleting },
        namespaces: ['a', 'b', 'c'].map((name) =>
          namespace({ name, uid: name, work: name === 'b' ? indexed(workload('q')) : indexed() }),
        ),
      }),
      { nowMs: now },
    );
    expect(given.namespaces.map((each) => each.leaving?.marks.decision.kind)).toEqual(['release', 'keep', 'release']);
  });

  it('X5: an independent route with running Pods of the account: the identity stays, the labels go', () => {
    const pod = work('Pod', {
      metadata: { labels: managedLabels('q') },
      spec: { serviceAccountName: 'sa' },
      status: { phase: 'Running' },
    });
    const open = { clusterQueues: clusterQueues({ cq: {} }) };
    expect(says({ work: indexed(pod) }, open)).toMatchObject({ labels: 'release', 'ServiceAccount/sa': 'keep' });
  });

  it('X6: a pending Workload on an owned LocalQueue whose ClusterQueue selects all: the LocalQueue stays', () => {
    const given = {
      work: indexed(workload('own')),
      localQueues: localQueues({ own: 'tau-ws-vision' }),
      owned: { ...owned, localQueues: [ownedLocalQueue('own')] },
    };
    const open = { clusterQueues: clusterQueues({ 'tau-ws-vision': {} }), clusterQueue: ownedClusterQueue() };
    expect(says(given, open)).toMatchObject({
      labels: 'release',
      'LocalQueue/own': 'keep',
      'ClusterQueue/tau-ws-vision': 'keep',
    });
  });

  it('X7: admitted, evicted, admitted again: kept all along', () => {
    const states = [
      workload('q', { admittedTo: 'cq' }),
      workload('q', { status: conditions('Evicted') }),
      workload('q', { admittedTo: 'cq', status: conditions('Admitted') }),
    ];
    expect(states.map((each) => keepsLabels(each))).toEqual(['keep', 'keep', 'keep']);
  });

  it('X8: Kueue uninstalled: only an operator’s word lets go, and only where queues were recorded', () => {
    const gone = { kueue: absent, clusterQueues: new Map() };
    const given = { reads: readsBut('Workload', absent), localQueues: new Map() };
    const acknowledgement = JSON.stringify({ generation: 3, blockers: ['APIGroup/kueue.x-k8s.io/'] });
    expect(says(given, gone)['labels']).toBe('keep');
    expect(says(given, { ...gone, workspace: { acknowledgement } })['labels']).toBe('release');
    expect(says(given, { ...gone, workspace: { hadQueues: false } })['labels']).toBe('release');
  });

  it('X9: 10,000 Workloads: all count, a status holds 32', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => workload('q', { metadata: { name: `w-${at}` } }));
    const given = plan({ work: indexed(...many), owned: { ...owned, accounts: [], grants: [] } });
    expect([given.blockerCount, given.blockers.length]).toEqual([10_000, 32]);
    expect(JSON.stringify(given).length).toBeLessThan(64_000);
  });
});
