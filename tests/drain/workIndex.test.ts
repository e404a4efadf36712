import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cellId, isSameCell } from '../../src/drain/index/cell.js';
import { withoutWork, withWork } from '../../src/drain/index/changeIndex.js';
import { indexOf } from '../../src/drain/index/indexOf.js';
import { members } from '../../src/drain/index/sortedSet.js';
import { emptyIndex, queuesHeld, queuesNamed, type Work, type WorkIndex } from '../../src/drain/index/workIndex.js';
import { readWork } from '../../src/drain/sources/readWork.js';
import { rankOf } from '../../src/drain/sources/table.js';
import { type AnyObject, conditions, controlledBy, queued, rowOf, runsAs, work, workload } from '../builders/work.js';

const read = (object: AnyObject): Work => readWork(rowOf(object.kind), object);
const index = (...objects: readonly AnyObject[]) => indexOf(objects.map(read));
/** What an index says, without how it is laid out. */
const content = (of: WorkIndex) => ({
  cells: [...members(of.cells)].map((cell) => [cell.id, [...members(cell.items)]]),
  entries: [...members(of.entries)],
  malformed: [...members(of.malformed)],
  unsupported: [...of.unsupported].sort(),
});
const cellOf = (of: WorkIndex, name: string) =>
  [...members(of.cells)].find((cell) => [...members(cell.items)].some((item) => item.name === name));

describe('where unfinished work stands in the index', () => {
  const rayJob = queued('RayJob', 'q', { metadata: { name: 'job' } });
  const rayCluster = (queue: string) =>
    queued('RayCluster', queue, { metadata: { name: 'cluster', ...controlledBy(rayJob) } });
  const over = { status: { jobDeploymentStatus: 'Complete' } };
  test.each<[string, WorkIndex, string, object | undefined]>([
    ['a Job in a queue', index(queued('Job', 'q')), 'a-job', { managed: 'yes', queue: 'q', accounts: ['default'] }],
    ['a Job in no queue', index(work('Job')), 'a-job', { managed: 'unnamed', queue: '' }],
    [
      'a RayJob that Kueue ignores',
      index(queued('RayJob', 'q', { spec: { clusterSelector: { a: 'b' } } })),
      'a-rayjob',
      { managed: 'no', queue: '' },
    ],
    [
      'a Workload',
      index(workload('q', { admittedTo: 'cq' })),
      'a-workload',
      { managed: 'yes', queue: 'q', admittedTo: 'cq' },
    ],
    ['a Workload without a queue', index(workload('')), 'a-workload', { managed: 'yes', queue: '', admittedTo: '' }],
    [
      'a Workload on another cluster',
      index(workload('q', { status: { clusterName: 'west' } })),
      'a-workload',
      { remoteCluster: 'west' },
    ],
    ['a finished Workload', index(workload('q', { status: conditions('Finished') })), 'a-workload', undefined],
    ['a finished Job', index(queued('Job', 'q', { status: conditions('Complete') })), 'a-job', undefined],
    ['the RayCluster of a RayJob that runs', index(rayJob, rayCluster('q')), 'cluster', { managed: 'yes', queue: 'q' }],
    [
      'the RayCluster of a RayJob that is over',
      index({ ...rayJob, ...over }, rayCluster('q')),
      'cluster',
      { managed: 'no' },
    ],
    [
      'one in another queue than its RayJob that is over',
      index({ ...rayJob, ...over }, rayCluster('other')),
      'cluster',
      { managed: 'no' },
    ],
    [
      'a Job that says it controls itself',
      index(queued('Job', 'q', { metadata: controlledBy(work('Job')) })),
      'a-job',
      { managed: 'yes' },
    ],
    ['one whose RayJob is gone', index(rayCluster('q')), 'cluster', { managed: 'yes', queue: 'q' }],
    [
      'one of an older RayJob of that name',
      index({ ...rayJob, ...over, metadata: { ...rayJob.metadata, uid: 'new' } }, rayCluster('q')),
      'cluster',
      { managed: 'yes' },
    ],
    [
      'one whose RayJob names no queue',
      index(work('RayJob', { metadata: { name: 'job' }, ...over }), rayCluster('q')),
      'cluster',
      { managed: 'yes' },
    ],
    [
      'one that refers to its RayJob without being controlled by it',
      index(
        { ...rayJob, ...over },
        queued('RayCluster', 'q', {
          metadata: {
            name: 'cluster',
            ownerReferences: [{ apiVersion: 'ray.io/v1', kind: 'RayJob', name: 'job', uid: 'uid-of-job' }],
          },
        }),
      ),
      'cluster',
      { managed: 'yes' },
    ],
    [
      'a Job of a CronJob, which Kueue does not queue',
      index(
        work('CronJob', {
          metadata: { name: 'job' },
          spec: { jobTemplate: { metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'q' } } } },
        }),
        queued('Job', 'q', { metadata: controlledBy(work('CronJob', { metadata: { name: 'job' } })) }),
      ),
      'a-job',
      { managed: 'yes' },
    ],
  ])('%s', (_, of, name, expected) => {
    const cell = cellOf(of, name);
    if (expected) expect(cell).toMatchObject(expected);
    else expect(cell).toBeUndefined();
  });

  it('a finished Workload takes no room, a finished Job stays for what it controls', () => {
    expect(index(workload('q', { status: conditions('Finished') }))).toEqual(emptyIndex);
    expect(index(work('Job', { status: conditions('Complete') })).entries.size).toBe(1);
  });

  it('is by account as well', () => {
    const of = index(
      work('Pod', { metadata: { name: 'a' }, spec: { serviceAccountName: 'sa' } }),
      work('Pod', { metadata: { name: 'b' }, spec: {} }),
    );
    expect([...members(of.cells)].map((cell) => cell.accounts)).toEqual([['default'], ['sa']]);
  });

  it('names the queues to read', () => {
    const of = index(queued('Job', 'b'), workload('a', { admittedTo: 'cq' }), work('Pod'));
    expect([queuesNamed(of), queuesHeld(of)]).toEqual([['a', 'b'], ['cq']]);
  });

  it('counts owners of unfinished Workloads that no row describes', () => {
    const owned = (name: string, kind: string, apiVersion: string, status = {}) =>
      workload('q', { metadata: { name, ownerReferences: [{ apiVersion, kind, name: 'o', uid: 'u' }] }, status });
    const of = index(
      owned('a', 'Flow', 'example.com/v1'),
      owned('b', 'Job', 'batch/v2'),
      owned('c', 'Job', 'example.com/v1'),
      owned('d', 'Flow', 'example.com/v2', conditions('Finished')),
    );
    expect([...of.unsupported]).toEqual([
      ['example.com/Flow', 1],
      ['example.com/Job', 1],
    ]);
    expect([...withoutWork(of, { rank: rankOf(rowOf('Workload')), name: 'c' }).unsupported]).toEqual([
      ['example.com/Flow', 1],
    ]);
  });
});

describe('the id of a cell', { timeout: 60_000 }, () => {
  const name = fc.constantFrom('', 'a', 'a,b', '"', 'a"],["b');
  const key = fc.record({
    managed: fc.constantFrom('yes' as const, 'unnamed' as const, 'no' as const),
    queue: name,
    admittedTo: name,
    remoteCluster: name,
    accounts: fc.oneof(
      fc.constant('any' as const),
      fc.array(fc.constantFrom('a', 'b', 'a,b', 'any'), { maxLength: 2 }),
    ),
  });
  it('tells apart all that differs', () => {
    expect(cellId({ managed: 'yes', queue: '', admittedTo: '', remoteCluster: '', accounts: ['a', 'b'] })).not.toBe(
      cellId({ managed: 'yes', queue: '', admittedTo: '', remoteCluster: '', accounts: ['a,b'] }),
    );
    fc.assert(
      fc.property(key, key, (one, other) => {
        const same = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
        expect([cellId(one) === cellId(other), isSameCell(one, other)]).toEqual([same, same]);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(key, (one) => {
        expect(isSameCell(one, structuredClone(one))).toBe(true);
      }),
    );
  });
});

describe('any sequence of changes', { timeout: 60_000 }, () => {
  const kinds = ['Job', 'RayJob', 'RayCluster', 'Pod', 'Workload'];
  const names = ['a', 'b', 'c'];
  const object = fc
    .record({
      kind: fc.constantFrom(...kinds),
      name: fc.constantFrom(...names),
      uid: fc.constantFrom('1', '2'),
      queue: fc.constantFrom('', 'q', 'r'),
      ended: fc.boolean(),
      broken: fc.boolean(),
      account: fc.constantFrom('default', 'sa'),
      owner: fc.option(
        fc.record({
          kind: fc.constantFrom('Job', 'RayJob', 'RayCluster'),
          name: fc.constantFrom(...names),
          uid: fc.constantFrom('1', '2'),
          controller: fc.boolean(),
        }),
      ),
    })
    .map(({ kind, name, uid, queue, ended, broken, account, owner }) => {
      const labels = queue === '' ? {} : { 'kueue.x-k8s.io/queue-name': queue, 'kueue.x-k8s.io/managed': 'true' };
      const ownerReferences = owner ? [{ apiVersion: owner.kind === 'Job' ? 'batch/v1' : 'ray.io/v1', ...owner }] : [];
      return read(
        work(kind, {
          metadata: { name, uid, labels: broken ? [] : labels, ownerReferences },
          spec: { queueName: broken ? 1 : queue, template: runsAs(account), serviceAccountName: account },
          status: ended
            ? { ...conditions('Complete', 'Finished'), jobDeploymentStatus: 'Complete', phase: 'Succeeded' }
            : {},
        }),
      );
    });
  const change = fc.oneof(
    { weight: 4, arbitrary: object.map((put) => ({ put })) },
    {
      weight: 1,
      arbitrary: fc.record({
        drop: fc.record({
          rank: fc.constantFrom(...kinds.map((kind) => rankOf(rowOf(kind)))),
          name: fc.constantFrom(...names),
        }),
      }),
    },
  );

  it('gives the index of what is left, made at once', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const left = new Map<string, Work>();
        let stepwise = emptyIndex;
        for (const each of changes) {
          if ('put' in each) {
            left.set(`${each.put.rank} ${each.put.name}`, each.put);
            stepwise = withWork(stepwise, each.put);
          } else {
            left.delete(`${each.drop.rank} ${each.drop.name}`);
            stepwise = withoutWork(stepwise, each.drop);
          }
        }
        expect(content(stepwise)).toEqual(content(indexOf([...left.values()])));
        expect([...members(stepwise.children)]).toEqual([...members(indexOf([...left.values()]).children)]);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves earlier indexes as they were', () => {
    const before = index(queued('Job', 'q'), workload('q'));
    const was = JSON.stringify(content(before));
    withoutWork(withWork(before, read(work('Job', { status: conditions('Complete') }))), {
      rank: rankOf(rowOf('Workload')),
      name: 'a-workload',
    });
    expect(JSON.stringify(content(before))).toBe(was);
  });
});
