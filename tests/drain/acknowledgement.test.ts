import { describe, expect, it, test } from 'vitest';
import { absent, unreadable } from '../../src/core/outcome.js';
import { blockerId } from '../../src/drain/release/blocker.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import {
  grant,
  indexed,
  localQueues,
  namespace,
  now,
  ownedAccount,
  ownedClusterQueue,
  readsBut,
  snapshot,
  words,
} from '../builders/drain.js';
import { queued, runsAs, work, workload } from '../builders/work.js';

const decide = (
  of: Partial<NamespaceSnapshot>,
  acknowledgement: string | undefined,
  over: Parameters<typeof snapshot>[0] = {},
) =>
  decideRelease(
    snapshot({
      namespaces: [namespace(of)],
      ...over,
      workspace: acknowledgement === undefined ? {} : { acknowledgement },
    }),
    { nowMs: now },
  );
const naming = (blockers: readonly string[], generation = 3) => JSON.stringify({ generation, blockers });
const job = queued('Job', 'q', { metadata: { name: 'a' } });
const other = queued('Job', 'q', { metadata: { name: 'b' } });
const a = 'Job/a/uid-of-a';

describe('an operator’s acknowledgement', () => {
  test.each<[string, string | undefined, object]>([
    ['that is not there', undefined, { kind: 'none' }],
    ['that is empty', '', { kind: 'none' }],
    ['that names all', naming([a]), { kind: 'holds', blockers: 1 }],
    ['that names more than there is', naming([a, 'Job/gone/u']), { kind: 'holds', blockers: 1 }],
    [
      'of an earlier generation',
      naming([a], 2),
      { kind: 'void', reason: 'it is for generation 2, the workspace has 3: look again' },
    ],
    ['that names none', naming([]), { kind: 'void', reason: 'it names 0 blockers, and there are 1' }],
    ['of another object of that name', naming(['Job/a/earlier']), { kind: 'void', reason: `it does not name ${a}` }],
    ['that is no JSON', 'yes', { kind: 'void', reason: 'it is no JSON' }],
    ['that is a number', '7', { kind: 'void', reason: 'its generation is no number' }],
    ['that is null', 'null', { kind: 'void', reason: 'its generation is no number' }],
    ['without a generation', '{"blockers":[]}', { kind: 'void', reason: 'its generation is no number' }],
    ['without blockers', '{"generation":3}', { kind: 'void', reason: 'its blockers are no list of texts' }],
    [
      'whose blockers are no texts',
      '{"generation":3,"blockers":[1]}',
      { kind: 'void', reason: 'its blockers are no list of texts' },
    ],
  ])('%s', (_, annotation, expected) => {
    const plan = decide({ work: indexed(job) }, annotation);
    expect(plan.acknowledgement).toEqual(expected);
    expect(words(plan)['labels']).toBe(plan.acknowledgement.kind === 'holds' ? 'release' : 'keep');
  });

  it('is voided as a whole by one new blocker of anything', () => {
    const own = { localQueues: [], accounts: [ownedAccount('sa')], grants: [] };
    const held = decide({ work: indexed(job), owned: own }, naming([a]));
    expect(words(held)).toMatchObject({ labels: 'release', 'ServiceAccount/sa': 'release' });
    const pod = work('Pod', { spec: { serviceAccountName: 'sa' } });
    const voided = decide({ work: indexed(job, pod), owned: own }, naming([a, 'Job/gone/u']));
    expect(voided.acknowledgement).toEqual({ kind: 'void', reason: 'it does not name Pod/a-pod/uid-of-a-pod' });
    expect(words(voided)).toMatchObject({ labels: 'keep', 'ServiceAccount/sa': 'keep' });
    expect(decide({ work: indexed(job, other) }, naming([a, 'x'])).acknowledgement.kind).toBe('void');
  });

  it('goes on holding when a blocker that it names ends', () => {
    const both = naming([a, 'Job/b/uid-of-b']);
    expect(decide({ work: indexed(job, other) }, both).acknowledgement).toEqual({ kind: 'holds', blockers: 2 });
    expect(decide({ work: indexed(other) }, both).acknowledgement).toEqual({ kind: 'holds', blockers: 1 });
  });

  test.each<[string, Partial<NamespaceSnapshot>, Parameters<typeof snapshot>[0]]>([
    ['a kind that cannot be listed', { reads: readsBut('Job', unreadable('403', false)) }, {}],
    ['an object that cannot be understood', { work: indexed(work('Job', { spec: 1 as unknown as object })) }, {}],
    ['a queue that cannot be read', { work: indexed(job), localQueues: new Map() }, {}],
    ['Kueue unreadable', {}, { kueue: unreadable('503', true) }],
  ])('never answers for %s, also when it names it', (_, of, over) => {
    const ids = decide(of, undefined, over).blockers.map(blockerId);
    const plan = decide(of, naming(ids), over);
    expect(plan.acknowledgement).toEqual({
      kind: 'void',
      reason: 'something cannot be read, and nobody can answer for what nobody sees',
    });
    expect(words(plan)).toMatchObject({ labels: 'keep', finalizer: 'keep' });
  });

  it('answers for queues that went with Kueue, and for one that was replaced', () => {
    const gone = { kueue: absent };
    expect(decide({}, naming(['APIGroup/kueue.x-k8s.io/']), gone).acknowledgement).toEqual({
      kind: 'holds',
      blockers: 1,
    });
    const replaced = { recorded: new Map([['cq', 'earlier']]) };
    expect(words(decide({ work: indexed(job) }, naming([a, 'ClusterQueue/cq/uid-of-cq']), replaced))['labels']).toBe(
      'release',
    );
    expect(words(decide({ work: indexed(job) }, naming([a, 'ClusterQueue/cq/earlier']), replaced))['labels']).toBe(
      'keep',
    );
  });

  it('skips no step: what goes first still goes first', () => {
    const plan = decide(
      { work: indexed(job), owned: { localQueues: [], accounts: [], grants: [grant] } },
      naming([a]),
      { clusterQueue: ownedClusterQueue(true) },
    );
    expect(words(plan)).toMatchObject({ labels: 'release', marks: 'keep', finalizer: 'keep' });
    expect(plan.blockers.map((each) => each.kind)).toEqual(['ClusterQueue', 'RoleBinding']);
    expect([plan.blockerCount, plan.reason]).toEqual([2, 'QueueFinalizing']);
  });

  it('does not answer for an object without a UID, which could be another by now', () => {
    const plan = decide(
      { work: indexed(queued('Job', 'q', { metadata: { name: 'a', uid: '' } })) },
      naming(['Job/a/']),
    );
    expect(plan.acknowledgement.kind).toBe('void');
  });

  it('is judged in no time where very much is left', () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      workload('q', { metadata: { name: `w-${at}` }, spec: { podSets: [{ template: runsAs('sa') }] } }),
    );
    const of = { work: indexed(...many), localQueues: localQueues({ q: 'cq' }) };
    expect(decide(of, naming([a])).acknowledgement).toEqual({
      kind: 'void',
      reason: 'it names 1 blockers, and there are 5000',
    });
    const all = naming(many.map((each) => `Workload/${each.metadata.name}/${each.metadata.uid}`));
    expect(decide(of, all).acknowledgement).toEqual({ kind: 'holds', blockers: 5_000 });
  });
});
