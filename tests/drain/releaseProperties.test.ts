import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absent, type Outcome, unreadable } from '../../src/core/outcome.js';
import { decideRelease } from '../../src/drain/release/decideRelease.js';
import type { DrainSnapshot, NamespaceSnapshot } from '../../src/drain/release/snapshot.js';
import { readKueueConfiguration } from '../../src/drain/routes/kueueConfiguration.js';
import { readClusterQueue, readLocalQueue } from '../../src/drain/routes/queueFacts.js';
import { sourceKinds } from '../../src/drain/sources/table.js';
import {
  decisions,
  everyKindRead,
  indexed,
  namespace,
  now,
  ownedAccount,
  ownedClusterQueue,
  ownedLocalQueue,
  snapshot,
  words,
} from '../builders/drain.js';
import { conditions, managedLabels, runsAs, work } from '../builders/work.js';

/** Small worlds in which everything can meet everything. */
const queueNames = ['q', 'own', 'none'];
const clusterNames = ['cq', 'tau-ws-vision', 'none'];
const accounts = ['sa', 'default'];
const kinds = ['Workload', 'Job', 'RayJob', 'RayService', 'Deployment', 'Pod', 'TrainJob', 'CronJob'];

const object = fc
  .record({
    kind: fc.constantFrom(...kinds),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    queue: fc.constantFrom('', ...queueNames),
    admittedTo: fc.constantFrom('', ...clusterNames),
    account: fc.constantFrom(...accounts),
    ended: fc.boolean(),
    broken: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    remote: fc.integer({ min: 0, max: 9 }).map((roll) => (roll === 0 ? 'west' : '')),
    ownedByJob: fc.option(fc.constantFrom('a', 'b')),
  })
  .map(({ kind, name, queue, admittedTo, account, ended, broken, remote, ownedByJob }) => {
    const template = { metadata: { labels: managedLabels(queue) }, ...runsAs(account) };
    return work(kind, {
      metadata: {
        name,
        uid: `${kind}-${name}`,
        labels: broken ? 1 : managedLabels(queue),
        ownerReferences: ownedByJob
          ? [{ apiVersion: 'batch/v1', kind: 'Job', name: ownedByJob, uid: `Job-${ownedByJob}`, controller: true }]
          : [],
      },
      spec: { queueName: broken ? 1 : queue, template, jobTemplate: template, serviceAccountName: account },
      status: {
        ...(ended
          ? { ...conditions('Complete', 'Finished'), jobDeploymentStatus: 'Failed', phase: 'Failed' }
          : conditions(...(admittedTo ? ['Admitted'] : []))),
        ...(admittedTo ? { admission: { clusterQueue: admittedTo } } : {}),
        ...(remote ? { clusterName: remote } : {}),
      },
    });
  });

const selector = fc.constantFrom<unknown>(
  null,
  {},
  { matchLabels: { 'tau.azure.com/workspace': 'vision' } },
  { matchLabels: { zone: 'a' } },
  { matchExpressions: [{ key: 'tau.azure.com/team', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'tau.azure.com/team', operator: 'In', values: ['eyes', 'ears'] }] },
  { matchExpressions: [{ key: 'zone', operator: 'Nope' }] },
);
const read = <T>(of: fc.Arbitrary<Outcome<T>>) =>
  fc.oneof(
    { weight: 8, arbitrary: of },
    { weight: 1, arbitrary: fc.constant<Outcome<T>>(absent) },
    { weight: 1, arbitrary: fc.constant<Outcome<T>>(unreadable('x', true)) },
  );
const mapOf = <T>(
  names: readonly string[],
  of: fc.Arbitrary<Outcome<T>>,
): fc.Arbitrary<ReadonlyMap<string, Outcome<T>>> =>
  fc
    .tuple(...names.map(() => read(of)))
    .map((values) => new Map(names.map((name, at) => [name, values[at] as Outcome<T>])));
const localQueues = mapOf(
  queueNames,
  fc
    .constantFrom('', ...clusterNames)
    .map((clusterQueue) => readLocalQueue({ metadata: { uid: 'uid-of-own' }, spec: { clusterQueue } })),
);
const clusterQueues = mapOf(
  clusterNames,
  selector.map((namespaceSelector) => readClusterQueue({ metadata: { uid: 'c' }, spec: { namespaceSelector } })),
);
const reads = fc
  .option(fc.tuple(fc.constantFrom(...sourceKinds), fc.constantFrom<Outcome<unknown>>(absent, unreadable('x', true))), {
    freq: 5,
  })
  .map((one) => (one ? new Map(everyKindRead).set(one[0], one[1]) : everyKindRead));

const world = fc.record({
  objects: fc.array(object, { maxLength: 6 }),
  localQueues,
  clusterQueues,
  reads,
  kueue: read(
    fc
      .record({ managedJobsNamespaceSelector: selector, manageJobsWithoutQueueName: fc.boolean() })
      .map(readKueueConfiguration)
      .filter((each) => each.kind !== 'unreadable'),
  ),
  recorded: fc.constantFrom<Record<string, string>>({}, { cq: 'c' }, { cq: 'earlier' }),
  deleting: fc.boolean(),
  evidence: fc.constantFrom<'live' | 'cached'>('live', 'live', 'cached'),
  hadQueues: fc.boolean(),
  acknowledged: fc.option(
    fc.subarray(
      kinds.flatMap((kind) => ['a', 'b', 'c', 'd'].map((name) => `${kind}/${name}/${kind}-${name}`)),
      { minLength: 20 },
    ),
  ),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** The last object of each kind and name is the one that is there. */
function snapshotOf(of: World, over: Partial<NamespaceSnapshot> = {}): DrainSnapshot {
  return snapshot({
    evidence: of.evidence,
    kueue: of.kueue,
    clusterQueues: of.clusterQueues,
    recorded: new Map(Object.entries(of.recorded)),
    workspace: {
      deleting: of.deleting,
      hadQueues: of.hadQueues,
      ...(of.acknowledged ? { acknowledgement: JSON.stringify({ generation: 3, blockers: of.acknowledged }) } : {}),
    },
    clusterQueue: ownedClusterQueue(),
    namespaces: [
      namespace({
        work: indexed(...of.objects),
        reads: of.reads,
        localQueues: of.localQueues,
        owned: { localQueues: [ownedLocalQueue('own')], accounts: [ownedAccount('sa')], grants: [] },
        ...over,
      }),
    ],
  });
}
const told = (of: DrainSnapshot) => words(decideRelease(of, { nowMs: now }));
const strength = { keep: 0, confirm: 1, release: 2, narrow: 0, remove: 2 } as const;
/** That no object is released further in the second than in the first. */
function expectNoMore(before: DrainSnapshot, after: DrainSnapshot): void {
  const [first, second] = [told(before), told(after)];
  const more = Object.keys(first).filter((key) => {
    const of = (word: string | undefined) => strength[(word ?? 'keep') as keyof typeof strength];
    return of(second[key]) > of(first[key]);
  });
  expect(more).toEqual([]);
}

const runs = { numRuns: 500 };

describe('any decision', { timeout: 60_000 }, () => {
  it('releases no more when there is more unfinished work', () => {
    fc.assert(
      fc.property(world, object, (of, more) => {
        const taken = of.objects.some((each) => each.kind === more.kind && each.metadata.name === more.metadata.name);
        const ended = indexed(more).cells.size + indexed(more).malformed.size === 0;
        fc.pre(!taken && !ended);
        expectNoMore(snapshotOf(of), snapshotOf({ ...of, objects: [...of.objects, more] }));
      }),
      runs,
    );
  });

  it('releases no more when an ended object is unfinished instead', () => {
    fc.assert(
      fc.property(world, fc.nat(5), (of, at) => {
        const one = of.objects[at];
        fc.pre(one !== undefined);
        const { conditions: _, jobDeploymentStatus: __, phase: ___, ...status } = one.status as Record<string, unknown>;
        const alive = { ...one, status: { ...status, phase: 'Running', jobDeploymentStatus: 'Running' } };
        expectNoMore(snapshotOf(of), snapshotOf({ ...of, objects: of.objects.with(at, alive) }));
      }),
      runs,
    );
  });

  it('releases no more when anything of its evidence cannot be read', () => {
    const bad = unreadable('gone dark', true);
    fc.assert(
      fc.property(world, fc.nat(4), fc.nat(2), fc.constantFrom(...sourceKinds), (of, what, at, row) => {
        const darker: World[] = [
          { ...of, kueue: bad },
          { ...of, reads: new Map(of.reads).set(row, bad) },
          { ...of, localQueues: new Map(of.localQueues).set(queueNames[at] as string, bad) },
          { ...of, clusterQueues: new Map(of.clusterQueues).set(clusterNames[at] as string, bad) },
          { ...of, evidence: 'cached' },
        ];
        expectNoMore(snapshotOf(of), snapshotOf(darker[what] as World));
      }),
      runs,
    );
  });

  it('releases nothing that is drained while a kind of source cannot be read, acknowledged or not', () => {
    fc.assert(
      fc.property(world, fc.constantFrom(...sourceKinds), (of, row) => {
        const dark = { ...of, reads: new Map(of.reads).set(row, unreadable('x', true)) };
        expect(decisions(decideRelease(snapshotOf(dark), { nowMs: now })).every((each) => each.kind === 'keep')).toBe(
          true,
        );
      }),
      runs,
    );
  });

  it('releases no more when an object cannot be understood', () => {
    fc.assert(
      fc.property(world, fc.nat(5), (of, at) => {
        const one = of.objects[at];
        fc.pre(one !== undefined);
        expectNoMore(
          snapshotOf(of),
          snapshotOf({
            ...of,
            objects: of.objects.with(at, { ...one, metadata: { ...one.metadata, labels: 'x' } as typeof one.metadata }),
          }),
        );
      }),
      runs,
    );
  });

  it('takes marks and finalizer off no sooner than everything else, and names a blocker for whatever it keeps', () => {
    fc.assert(
      fc.property(world, (of) => {
        const plan = decideRelease(snapshotOf(of), { nowMs: now });
        const all = words(plan);
        const rest = Object.entries(all).filter(([key]) => !['marks', 'finalizer', 'grants'].includes(key));
        // Owned objects are still there in each of these worlds.
        expect(all['marks']).toBe('keep');
        if (of.deleting) expect(all['finalizer']).toBe('keep');
        if (rest.some(([, word]) => word === 'keep')) expect(plan.blockerCount).toBeGreaterThan(3);
        for (const each of decisions(plan)) {
          if (each.kind !== 'keep') continue;
          expect(each.count).toBeGreaterThan(0);
          expect(each.blockers.length).toBe(Math.min(each.count, 32));
        }
      }),
      runs,
    );
  });

  it('does not depend on the order in which objects are read', () => {
    fc.assert(
      fc.property(world, (of) => {
        const distinct = of.objects.filter(
          (each, at) =>
            of.objects.findLastIndex((one) => one.kind === each.kind && one.metadata.name === each.metadata.name) ===
            at,
        );
        const one = decideRelease(snapshotOf({ ...of, objects: distinct }), { nowMs: now });
        const other = decideRelease(snapshotOf({ ...of, objects: distinct.toReversed() }), { nowMs: now });
        expect(JSON.stringify(one)).toBe(JSON.stringify(other));
      }),
    );
  });

  it('is found in worlds of every outcome', () => {
    const seen = new Set<string>();
    for (const of of fc.sample(world, { numRuns: 1_500, seed: 1 }))
      for (const each of Object.entries(told(snapshotOf(of)))) seen.add(each.join(' '));
    for (const key of ['labels', 'LocalQueue/own', 'ServiceAccount/sa', 'ClusterQueue/tau-ws-vision'])
      for (const word of ['keep', 'confirm', 'release']) expect(seen).toContain(`${key} ${word}`);
  });
});
