import { describe, expect, it } from 'vitest';
import { drainingResearcherRules } from '../../src/api/access/handedOut.js';
import { workspaceSpecSchema } from '../../src/api/workspaceSpec.js';
import { absent, found, unreadable } from '../../src/core/outcome.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import { readKueueConfiguration } from '../../src/drain/routes/kueueConfiguration.js';
import { ownMarks } from '../../src/drain/routes/namespaceMarks.js';
import { servedVersion } from '../../src/drain/sources/servedVersion.js';
import { drainStatus } from '../../src/drain/status/drainStatus.js';
import { recordedQueue, retainedNamespaces } from '../../src/drain/status/retained.js';
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

type Over = Parameters<typeof snapshot>[0];
const plan = (of: Partial<NamespaceSnapshot>, over: Over = {}) =>
  decideRelease(snapshot({ namespaces: [namespace(of)], ...over }), { nowMs: now });
const says = (of: Partial<NamespaceSnapshot>, over: Over = {}) => words(plan(of, over));
const owns = (of: Partial<NamespaceSnapshot['owned']>) => ({
  owned: { localQueues: [], accounts: [], grants: [], ...of },
});
const open = { clusterQueues: clusterQueues({ cq: {} }) };
const busy = { work: indexed(workload('q')) };
const blockerOf = (of: Partial<NamespaceSnapshot>, over: Over = {}) => plan(of, over).blockers[0];

/** The 28 mistakes of section 13, each with the case that would show it; `elsewhere` where it does not lie in the pure part. */
const mistakes: readonly {
  readonly number: number;
  readonly mistake: string;
  readonly shows?: () => void;
  readonly elsewhere?: string;
}[] = [
  {
    number: 1,
    mistake: 'one gate for routing and identity',
    shows: () => {
      const pod = work('Pod', { spec: { serviceAccountName: 'sa' }, status: { phase: 'Running' } });
      expect(says({ work: indexed(pod), ...owns({ accounts: [ownedAccount('sa')] }) }, open)).toMatchObject({
        labels: 'release',
        'ServiceAccount/sa': 'keep',
      });
      expect(says({ ...busy, ...owns({ accounts: [ownedAccount('sa')] }) })).toMatchObject({
        labels: 'keep',
        'ServiceAccount/sa': 'release',
      });
    },
  },
  {
    number: 2,
    mistake: 'work on owned queues is stranded when the selector is independent',
    shows: () => {
      const own = {
        ...owns({ localQueues: [ownedLocalQueue('q')] }),
        localQueues: localQueues({ q: 'tau-ws-vision' }),
      };
      const all = { clusterQueues: clusterQueues({ 'tau-ws-vision': {} }), clusterQueue: ownedClusterQueue() };
      for (const left of [workload('q'), queued('Job', 'q')])
        expect(says({ ...own, work: indexed(left) }, all)).toMatchObject({
          'LocalQueue/q': 'keep',
          'ClusterQueue/tau-ws-vision': 'keep',
        });
    },
  },
  {
    number: 3,
    mistake: 'work accepted between check and strip',
    shows: () => {
      expect(says({}, { evidence: 'cached' })['labels']).toBe('confirm');
      expect(plan({ resourceVersion: '9' }).namespaces[0]).toMatchObject({ uid: 'uid-of-train', resourceVersion: '9' });
      expect(says({ work: indexed(queued('Job', 'q')) })['labels']).toBe('keep');
      expect(drainingResearcherRules.some((rule) => rule.verbs.includes('create'))).toBe(false);
      expect(says({ ...busy, ...owns({ grants: [grant] }) }, { workspace: { deleting: false } })['grants']).toBe(
        'narrow',
      );
    },
  },
  {
    number: 4,
    mistake: 'no end, no way out, no explanation',
    shows: () => {
      expect(blockerOf(busy)).toMatchObject({ kind: 'Workload', release: 'it is finished or deleted' });
      const acknowledgement = JSON.stringify({ generation: 3, blockers: ['Workload/a-workload/uid-of-a-workload'] });
      expect(says(busy, { workspace: { acknowledgement } })['labels']).toBe('release');
      expect(
        says({ work: indexed(workload('q'), queued('Job', 'q')) }, { workspace: { acknowledgement } })['labels'],
      ).toBe('keep');
      const first = drainStatus(plan(busy), { previous: {}, generation: 3, nowMs: now });
      const late = drainStatus(plan(busy), {
        previous: first,
        generation: 3,
        nowMs: now + 90_000,
        reportAfterSeconds: 60,
      });
      expect(late.conditions[0]?.message).toContain('for more than the 60 s asked for');
    },
  },
  {
    number: 5,
    mistake: 'Kueue’s own namespace selector ignored',
    shows: () => {
      const kueue = readKueueConfiguration({ managedJobsNamespaceSelector: onWorkspace });
      expect(says(busy, { ...open, kueue })['labels']).toBe('keep');
      expect(says({ work: indexed(workload('', { admittedTo: 'cq' })) }, { ...open, kueue })['labels']).toBe('keep');
      expect(says(busy, { ...open, kueue: readKueueConfiguration({}) })['labels']).toBe('release');
    },
  },
  {
    number: 6,
    mistake: 'an owned LocalQueue is mended by a write that Kueue forbids',
    shows: () => {
      // There is no such write: it is released like any other, once nothing names it, and made anew.
      const own = { ...owns({ localQueues: [ownedLocalQueue('q')] }), leaving: false };
      expect([says({ ...own, ...busy }), says(own)]).toEqual([
        { 'LocalQueue/q': 'keep', finalizer: 'keep' },
        { 'LocalQueue/q': 'release', finalizer: 'keep' },
      ]);
    },
  },
  {
    number: 7,
    mistake: 'a recorded UID is compared with that of another queue',
    shows: () => {
      const own = { clusterQueue: ownedClusterQueue() };
      expect(says({}, { ...own, recorded: new Map([['external', 'x']]) })['ClusterQueue/tau-ws-vision']).toBe(
        'release',
      );
      expect(says({}, { ...own, recorded: new Map([['tau-ws-vision', 'x']]) })['ClusterQueue/tau-ws-vision']).toBe(
        'keep',
      );
    },
  },
  {
    number: 8,
    mistake: 'the recorded queue is lost on a failed pass',
    shows: () => {
      const before = { localQueue: 'q', clusterQueue: 'cq', clusterQueueUID: 'u' };
      expect(recordedQueue(before, undefined)).toEqual(before);
    },
  },
  {
    number: 9,
    mistake: 'only one earlier namespace is remembered',
    shows: () => {
      const known = { retained: [{ name: 'b', uid: '2', since: 'then' }], resolved: 'a', target: 'c' };
      expect(
        retainedNamespaces(
          known,
          found([
            { name: 'a', uid: '1' },
            { name: 'b', uid: '2' },
          ]),
          'now',
        ).map((each) => each.name),
      ).toEqual(['a', 'b']);
    },
  },
  {
    number: 10,
    mistake: 'nothing in the status during a deletion',
    shows: () => {
      const status = drainStatus(plan(busy), { previous: {}, generation: 3, nowMs: now });
      expect(status).toMatchObject({
        blockerCount: 1,
        conditions: [{ type: 'Draining', status: 'True', reason: 'AcceptedWork' }],
      });
    },
  },
  {
    number: 11,
    mistake: 'kinds that are invisible before their Workload',
    shows: () => {
      const plain = [
        'RayCluster',
        'JobSet',
        'TrainJob',
        'PyTorchJob',
        'TFJob',
        'MPIJob',
        'XGBoostJob',
        'PaddleJob',
        'JAXJob',
        'AppWrapper',
        'SparkApplication',
        'StatefulSet',
        'LeaderWorkerSet',
      ];
      for (const kind of plain)
        expect([kind, says({ work: indexed(queued(kind, 'q')) })['labels']]).toEqual([kind, 'keep']);
      const gated = { spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } };
      expect(says({ work: indexed(queued('Pod', 'q', gated)) })['labels']).toBe('keep');
      expect(says({ work: indexed(work('Pod', { metadata: { labels: managedLabels('q') } })) })['labels']).toBe('keep');
      expect(
        says({ work: indexed(work('CronJob', { spec: { jobTemplate: { metadata: { labels: queueLabel('q') } } } })) })[
          'labels'
        ],
      ).toBe('keep');
      const unknown = workload('q', {
        metadata: { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Flow', name: 'f', uid: 'u' }] },
      });
      expect(plan({ work: indexed(unknown) }).unsupported).toEqual(['example.com/Flow']);
    },
  },
  {
    number: 12,
    mistake: 'owners matched by kind and name, one of them only',
    shows: () => {
      const owner = (apiVersion: string, kind: string, uid: string) => ({ apiVersion, kind, name: 'x', uid });
      const of = (...ownerReferences: readonly object[]) =>
        blockerOf({
          work: indexed(
            workload('q', { metadata: { ownerReferences } }),
            work('Pod', { metadata: { name: 'x', uid: 'p' }, status: { phase: 'Failed' } }),
            work('Job', { metadata: { name: 'x', uid: 'j' }, status: conditions('Failed') }),
          ),
        })?.class;
      expect(of(owner('batch/v1', 'Job', 'j'))).toBe('pending');
      expect(of(owner('batch/v1', 'Job', 'older'))).toBe('needs-operator');
      expect(of(owner('example.com/v1', 'Job', 'older'))).toBe('pending');
      expect(of(owner('v1', 'Pod', 'gone'), owner('v1', 'Pod', 'p'))).toBe('pending');
      expect(of(owner('v1', 'Pod', 'gone'), owner('v1', 'Pod', 'gone too'))).toBe('needs-operator');
    },
  },
  {
    number: 13,
    mistake: 'work that Kueue ignores blocks by its label',
    shows: () => {
      const selecting = queued('RayJob', 'q', { spec: { clusterSelector: { 'ray.io/cluster': 'shared' } } });
      expect(says({ work: indexed(selecting), ...owns({ localQueues: [ownedLocalQueue('q')] }) })).toMatchObject({
        labels: 'release',
        'LocalQueue/q': 'release',
      });
      const job = queued('RayJob', 'q', { status: { jobDeploymentStatus: 'Complete' } });
      expect(says({ work: indexed(job, queued('RayCluster', 'q', { metadata: controlledBy(job) })) })['labels']).toBe(
        'release',
      );
    },
  },
  {
    number: 14,
    mistake: 'stuck for ever looks like work',
    shows: () => {
      const stuck = [
        queued('RayJob', 'q', { status: { jobDeploymentStatus: 'ValidationFailed' } }),
        workload('q', { spec: { active: false } }),
        workload('q', { metadata: controlledBy(work('Job')) }),
      ];
      for (const each of stuck)
        expect([blockerOf({ work: indexed(each) })?.class, says({ work: indexed(each) })['labels']]).toEqual([
          'needs-operator',
          'keep',
        ]);
      const own = owns({ accounts: [ownedAccount('sa')] });
      expect(
        blockerOf({ work: indexed(work('Job', { spec: { suspend: true, template: runsAs('sa') } })), ...own })?.class,
      ).toBe('needs-operator');
      const stopped = new Map([['q', found({ uid: 'u', clusterQueue: 'cq', stopped: true })]]);
      expect(
        blockerOf({ work: indexed(queued('Job', 'q', { spec: { suspend: true } })), localQueues: stopped })?.class,
      ).toBe('needs-operator');
    },
  },
  {
    number: 15,
    mistake: 'without Kueue no workspace can be deleted',
    shows: () => {
      const given = { reads: readsBut('Workload', absent) };
      expect(says(given, { kueue: absent, workspace: { hadQueues: false } })['labels']).toBe('release');
      expect(blockerOf(given, { kueue: absent })).toMatchObject({ kind: 'APIGroup', class: 'needs-operator' });
      const acknowledgement = JSON.stringify({ generation: 3, blockers: ['APIGroup/kueue.x-k8s.io/'] });
      expect(says(given, { kueue: absent, workspace: { acknowledgement } })['labels']).toBe('release');
      expect(says(given, { kueue: unreadable('stale', true) })['labels']).toBe('keep');
    },
  },
  {
    number: 16,
    mistake: 'absent misread',
    shows: () => {
      expect(servedVersion(rowOf('RayJob'), { versions: ['v1beta9'], fresh: true }).kind).toBe('unreadable');
      expect(servedVersion(rowOf('RayJob'), { versions: [], fresh: false }).kind).toBe('unreadable');
      expect(servedVersion(rowOf('RayJob'), { versions: [], fresh: true }).kind).toBe('absent');
      expect(says({ reads: readsBut('Job', absent) })['labels']).toBe('keep');
    },
  },
  {
    number: 17,
    mistake: 'one subject, three accounts',
    elsewhere: 'the controller’s access (X10)',
    shows: () => {
      expect(workspaceSpecSchema.properties.kubernetesSubject.properties).toHaveProperty('namespace');
    },
  },
  {
    number: 18,
    mistake: 'marks of others are stripped',
    shows: () => {
      const live = {
        labels: { 'app.kubernetes.io/managed-by': 'Helm', 'tau.azure.com/workspace': 'vision' },
        annotations: { 'tau.azure.com/owner-uid': 'w' },
      };
      const written = { ...live, labels: { ...live.labels, 'app.kubernetes.io/managed-by': 'tau-core-controller' } };
      expect(ownMarks(live, 'w', written).labels).toEqual(['tau.azure.com/workspace']);
      expect(ownMarks(live, 'another workspace', written)).toEqual({ labels: [], annotations: [] });
      const { leaving } = plan({ annotations: { 'tau.azure.com/owner-uid': 'other' } }).namespaces[0] ?? {};
      expect([leaving?.routingLabels.keys, leaving?.marks.keys]).toEqual([[], { labels: [], annotations: [] }]);
    },
  },
  {
    number: 19,
    mistake: 'grants before stale identities are gone',
    shows: () => {
      const given = plan(
        { ...busy, ...owns({ accounts: [ownedAccount('old', true)], grants: [grant] }) },
        { workspace: { deleting: false } },
      );
      expect([words(given)['ServiceAccount/old'], words(given)['grants'], given.mayGrant]).toEqual([
        'release',
        'remove',
        false,
      ]);
    },
  },
  {
    number: 20,
    mistake: 'Pods that live on after Complete lose their account',
    shows: () => {
      const pod = work('Pod', {
        metadata: { labels: { 'ray.io/cluster': 'c' } },
        spec: { serviceAccountName: 'sa' },
        status: { phase: 'Running' },
      });
      const job = queued('RayJob', 'q', { status: { jobDeploymentStatus: 'Complete' } });
      expect(says({ work: indexed(job, pod), ...owns({ accounts: [ownedAccount('sa')] }) })).toMatchObject({
        labels: 'release',
        'ServiceAccount/sa': 'keep',
      });
    },
  },
  {
    number: 21,
    mistake: 'caches decide what cannot be undone',
    shows: () => {
      expect(Object.values(says(owns({ accounts: [ownedAccount('sa')] }), { evidence: 'cached' }))).not.toContain(
        'release',
      );
    },
  },
  {
    number: 22,
    mistake: 'deletes without preconditions',
    shows: () => {
      const own = { ...ownedLocalQueue('q'), resourceVersion: '5' };
      expect(plan(owns({ localQueues: [own] })).namespaces[0]?.localQueues[0]).toMatchObject({
        object: { uid: 'uid-of-q', resourceVersion: '5' },
        decision: { kind: 'release' },
      });
      const replaced = { ...owns({ localQueues: [{ ...own, uid: 'earlier' }] }) };
      expect(says(replaced)['LocalQueue/q']).toBe('keep');
    },
  },
  {
    number: 23,
    mistake: 'transition times move with words; one condition for everything',
    shows: () => {
      const first = drainStatus(plan(busy), { previous: {}, generation: 3, nowMs: now });
      const then = drainStatus(plan({ work: indexed(workload('q'), queued('Job', 'q')) }), {
        previous: first,
        generation: 3,
        nowMs: now + 1000,
      });
      expect(then.conditions[0]?.message).not.toBe(first.conditions[0]?.message);
      expect(then.conditions[0]?.lastTransitionTime).toBe(first.conditions[0]?.lastTransitionTime);
    },
  },
  {
    number: 24,
    mistake: 'three descriptions of one installation',
    elsewhere: 'src/infra renders all from one source (X12)',
  },
  {
    number: 25,
    mistake: 'one hard version',
    shows: () => {
      expect(servedVersion(rowOf('Workload'), { versions: ['v1beta1'], fresh: true })).toEqual(found('v1beta1'));
    },
  },
  { number: 26, mistake: 'escalate, and readers of everything', elsewhere: 'src/api/access and its tests' },
  {
    number: 27,
    mistake: 'work on other clusters is out of sight',
    shows: () => {
      const remote = workload('q', { status: { clusterName: 'west' } });
      expect(says({ work: indexed(remote) }, open)['labels']).toBe('keep');
      expect(blockerOf({ work: indexed(remote) }, open)?.release).toBe('it is finished on cluster west or deleted');
    },
  },
  { number: 28, mistake: 'evidence from fakes only', elsewhere: 'the lab’s tests on a real Kueue' },
];

describe('the mistakes of the original', () => {
  it.each(mistakes.map((each) => [each.number, each.mistake, each] as const))(
    '%i: %s',
    (_, __, { shows, elsewhere }) => {
      expect(shows ?? elsewhere).toBeDefined();
      shows?.();
    },
  );

  it('are all 28 here', () => {
    expect(mistakes.map((each) => each.number)).toEqual(Array.from({ length: 28 }, (_, at) => at + 1));
  });
});
