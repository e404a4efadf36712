import { describe, expect, it, test } from 'vitest';
import { listedBlockers, type WorkspaceStatus } from '../../src/api/workspaceStatus.js';
import { found, unreadable } from '../../src/core/outcome.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import { blockersText, blockerText } from '../../src/drain/status/blockersText.js';
import { drainStatus } from '../../src/drain/status/drainStatus.js';
import { recordedQueue, retainedNamespaces } from '../../src/drain/status/retained.js';
import { indexed, namespace, now, ownedAccount, ownedClusterQueue, readsBut, snapshot } from '../builders/drain.js';
import { queued, workload } from '../builders/work.js';

const plan = (of: Partial<NamespaceSnapshot>, over: Parameters<typeof snapshot>[0] = {}) =>
  decideRelease(snapshot({ namespaces: [namespace(of)], ...over }), { nowMs: now });
const status = (of: ReturnType<typeof plan>, previous: WorkspaceStatus = {}, atMs = now, more: object = {}) =>
  drainStatus(of, { previous, generation: 3, nowMs: atMs, ...more });
const job = queued('Job', 'q', { metadata: { name: 'nightly' } });
const busy = plan({ work: indexed(job) });
const later = (seconds: number) => now + seconds * 1000;

describe('condition Draining', () => {
  const condition = (of: ReturnType<typeof plan>) => {
    const [{ status: is, reason } = { status: '', reason: '' }] = status(of).conditions;
    return `${is} ${reason}`;
  };
  test.each<[string, ReturnType<typeof plan>, string]>([
    ['accepted work', busy, 'True AcceptedWork'],
    [
      'a kind that cannot be listed',
      plan({ reads: readsBut('Job', unreadable('403', false)) }),
      'True RouteUnreadable',
    ],
    ['a queue that cannot be read', plan({ work: indexed(job), localQueues: new Map() }), 'True RouteUnreadable'],
    [
      'a replaced ClusterQueue',
      plan({ work: indexed(job) }, { recorded: new Map([['cq', 'x']]) }),
      'True QueueIdentityChanged',
    ],
    [
      'an obsolete account',
      plan({ owned: { localQueues: [], accounts: [ownedAccount('old', true)], grants: [] } }),
      'True IdentityRevocationPending',
    ],
    ['a ClusterQueue being finalized', plan({}, { clusterQueue: ownedClusterQueue(true) }), 'True QueueFinalizing'],
    [
      'objects to be taken away',
      plan({ owned: { localQueues: [], accounts: [ownedAccount('sa')], grants: [] } }),
      'True Drained',
    ],
    ['nothing left', plan({}), 'False Drained'],
    ['nothing left by cached evidence', plan({}, { evidence: 'cached' }), 'True Drained'],
  ])('with %s', (_, of, expected) => {
    expect(condition(of)).toBe(expected);
  });

  it('says what is left, and of what', () => {
    expect(status(busy).conditions[0]?.message).toBe(
      'accepted work is left. Job/train/nightly is pending in queue q of ClusterQueue cq; needs label tau.azure.com/workspace; goes when it is finished or deleted',
    );
  });

  it('says why an acknowledgement does not hold, and which owners no rule knows', () => {
    const owned = workload('q', {
      metadata: { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Flow', name: 'f', uid: 'u' }] },
    });
    const message = status(plan({ work: indexed(owned) }, { workspace: { acknowledgement: 'yes' } })).conditions[0]
      ?.message;
    expect(message).toContain('the acknowledgement does not hold: it is no JSON');
    expect(message).toContain('no rule knows example.com/Flow: only its Workloads are seen');
  });

  it('says that it takes longer than asked, and does nothing else about it', () => {
    const first = status(busy);
    const at = (seconds: number) => status(busy, first, later(seconds), { reportAfterSeconds: 60 });
    expect(at(60).conditions[0]?.message).toMatch(/^accepted work is left\. /);
    expect(at(61).conditions[0]?.message).toMatch(/^accepted work is left, for more than the 60 s asked for\. /);
    expect(at(61).conditions[0]?.lastTransitionTime).toBe(new Date(now).toISOString());
  });
});

describe('the status of a drain', () => {
  it('lists so many blockers, the count of all, within the bounds of the CRD', () => {
    const name = (at: number) => `${String(at).padStart(5, '0')}${'n'.repeat(248)}`;
    const jobs = Array.from({ length: 500 }, (_, at) =>
      queued('Job', 'q', { metadata: { name: name(at), uid: `u${at}` } }),
    );
    const written = status(plan({ work: indexed(...jobs) }));
    expect([written.blockers.length, written.blockerCount]).toEqual([listedBlockers, 500]);
    expect(JSON.stringify(written).length).toBeLessThan(64_000);
    expect(written.conditions[0]?.message.length).toBeLessThanOrEqual(4_000);
    const long = plan({ reads: readsBut('Job', unreadable('x'.repeat(400_000), false)) });
    expect(status(long).blockers[0]?.release.length).toBe(1024);
    expect(JSON.stringify(status(long)).length).toBeLessThan(8_000);
  });

  it('is the same on a second look, until five minutes have passed', () => {
    const first = status(busy);
    expect(status(busy, first, later(299))).toEqual(first);
    expect(status(busy, first, later(300))).toEqual({
      ...first,
      lastDrainEvaluation: new Date(later(300)).toISOString(),
    });
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .sort()
                .map(([key, each]) => [key, sorted(each)]),
            )
          : value;
    expect(status(busy, sorted(first) as WorkspaceStatus, later(299))).toEqual(first);
    const done = status(plan({}), first, later(10));
    expect(done.lastDrainEvaluation).toBe(new Date(later(10)).toISOString());
    expect(status(plan({}), done, later(10_000))).toEqual(done);
  });

  it('moves with any change, and when the clock went back', () => {
    const first = status(busy);
    expect(status(plan({ work: indexed(job, workload('q')) }), first, later(5)).lastDrainEvaluation).toBe(
      new Date(later(5)).toISOString(),
    );
    expect(status(busy, first, later(-5)).lastDrainEvaluation).toBe(new Date(later(-5)).toISOString());
    expect(status(busy, { ...first, lastDrainEvaluation: 'never' }, later(5)).lastDrainEvaluation).toBe(
      new Date(later(5)).toISOString(),
    );
  });

  it('leaves other conditions as they are', () => {
    const other = { type: 'RBACReady', status: 'True', reason: 'x', message: '', lastTransitionTime: 'then' } as const;
    expect(status(busy, { conditions: [other] }).conditions[0]).toEqual(other);
  });
});

describe('blockers in words', () => {
  it('a line each, and how many more', () => {
    expect(blockersText(busy.blockers, 3)).toHaveLength(2);
    expect(blockersText(busy.blockers, 3)[1]).toBe('and 2 more');
    expect(blockersText([], 0)).toEqual([]);
  });
  test.each<[Parameters<typeof blockerText>[0], string]>([
    [
      { kind: 'APIGroup', name: 'g', class: 'needs-operator', release: 'r' },
      'APIGroup/g needs an operator; goes when r',
    ],
    [
      { kind: 'Pod', namespace: 'n', name: 'p', class: 'running', release: 'r', labelKeys: ['a', 'b'] },
      'Pod/n/p is running; needs labels a, b; goes when r',
    ],
  ])('%j', (blocker, text) => expect(blockerText(blocker)).toBe(text));
});

describe('retained namespaces', () => {
  const known = {
    retained: [
      { name: 'a', uid: '1', since: 'then' },
      { name: 'b', since: 'before' },
    ],
    resolved: 'r',
    target: 't',
  };
  const forbidden = unreadable('403', false);
  test.each<[string, Parameters<typeof retainedNamespaces>, readonly object[]]>([
    [
      'those that bear the marks, with their time',
      [
        known,
        found([
          { name: 'b', uid: '2' },
          { name: 'a', uid: '1' },
        ]),
        'now',
      ],
      [
        { name: 'a', uid: '1', since: 'then' },
        { name: 'b', uid: '2', since: 'before' },
      ],
    ],
    [
      'one that no status remembers',
      [{ ...known, retained: [] }, found([{ name: 'c', uid: '3' }]), 'now'],
      [{ name: 'c', uid: '3', since: 'now' }],
    ],
    ['not one that lost its marks', [known, found([]), 'now'], []],
    [
      'one of that name under another UID as a new one',
      [known, found([{ name: 'a', uid: '9' }]), 'now'],
      [{ name: 'a', uid: '9', since: 'now' }],
    ],
    [
      'never the target, also when it was one before (A, B, C, A)',
      [
        { ...known, target: 'a' },
        found([
          { name: 'a', uid: '1' },
          { name: 'b', uid: '2' },
        ]),
        'now',
      ],
      [{ name: 'b', uid: '2', since: 'before' }],
    ],
    [
      'all that were known while they cannot be listed',
      [known, forbidden, 'now'],
      [...known.retained, { name: 'r', since: 'now' }],
    ],
    ['the resolved one once', [{ ...known, resolved: 'a' }, forbidden, 'now'], known.retained],
    ['not the resolved one when it is the target', [{ ...known, resolved: 't' }, forbidden, 'now'], known.retained],
  ])('%s', (_, given, expected) => expect(retainedNamespaces(...given)).toEqual(expected));

  it('are at most as many as the CRD takes', () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `n-${String(at).padStart(3, '0')}`, uid: `${at}` }));
    expect(retainedNamespaces(known, found(many), 'now')).toHaveLength(64);
  });
});

test('the recorded queue outlives a failure', () => {
  const before = { localQueue: 'q', clusterQueue: 'cq', clusterQueueUID: 'u' };
  const ready = { ...before, clusterQueueUID: 'v' };
  expect([recordedQueue(before, undefined), recordedQueue(before, ready), recordedQueue(undefined, undefined)]).toEqual(
    [before, ready, undefined],
  );
});
