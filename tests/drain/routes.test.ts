import { describe, expect, it, test } from 'vitest';
import { absent, found, type Outcome, unreadable } from '../../src/core/outcome.js';
import type { CellKey } from '../../src/drain/index/cell.js';
import { defaultKueueConfiguration, readKueueConfiguration } from '../../src/drain/routes/kueueConfiguration.js';
import { ownMarks } from '../../src/drain/routes/namespaceMarks.js';
import {
  type ClusterQueueFacts,
  type LocalQueueFacts,
  readClusterQueue,
  readLocalQueue,
} from '../../src/drain/routes/queueFacts.js';
import { needsLabels, type RouteEvidence, routeOf } from '../../src/drain/routes/route.js';
import { readSelector } from '../../src/drain/selectors/labelSelector.js';

const cell = (of: Partial<CellKey> = {}): CellKey => ({
  managed: 'yes',
  queue: 'q',
  admittedTo: '',
  remoteCluster: '',
  accounts: [],
  ...of,
});
const selector = (written: unknown) => {
  const read = readSelector(written);
  if (read.kind === 'invalid') throw new Error(read.reason);
  return read;
};
const localQueue = (clusterQueue: string, stopped = false): Outcome<LocalQueueFacts> =>
  found({ uid: 'l', clusterQueue, stopped });
const clusterQueue = (written: unknown, of: Partial<ClusterQueueFacts> = {}): Outcome<ClusterQueueFacts> =>
  found({ uid: 'c', namespaceSelector: selector(written), stopped: false, ...of });
const dependent = { matchLabels: { 'tau.azure.com/workspace': 'vision' } };
const everything = {};

interface Given {
  readonly locals?: Readonly<Record<string, Outcome<LocalQueueFacts>>>;
  readonly clusters?: Readonly<Record<string, Outcome<ClusterQueueFacts>>>;
  readonly recorded?: Readonly<Record<string, string>>;
  readonly managed?: unknown;
  readonly managesUnnamed?: boolean;
}
const evidence = (given: Given = {}): RouteEvidence => ({
  before: { 'tau.azure.com/workspace': 'vision', 'tau.azure.com/team': 'eyes', zone: 'a' },
  after: { zone: 'a' },
  kueue: {
    managedNamespaces: selector(given.managed ?? {}),
    managesUnnamed: given.managesUnnamed ?? false,
  },
  localQueues: new Map(Object.entries(given.locals ?? { q: localQueue('cq') })),
  clusterQueues: new Map(Object.entries(given.clusters ?? { cq: clusterQueue(dependent) })),
  recorded: new Map(Object.entries(given.recorded ?? {})),
});

describe('what a route needs of the namespace’s labels', () => {
  test.each<[string, CellKey, Given, readonly string[]]>([
    ['a selector on a label that goes', cell(), {}, ['tau.azure.com/workspace']],
    [
      'a selector on two that go',
      cell(),
      {
        clusters: {
          cq: clusterQueue({
            matchLabels: { 'tau.azure.com/workspace': 'vision', 'tau.azure.com/team': 'eyes', zone: 'a' },
          }),
        },
      },
      ['tau.azure.com/team', 'tau.azure.com/workspace'],
    ],
    ['a selector of everything', cell(), { clusters: { cq: clusterQueue(everything) } }, []],
    ['a selector of nothing', cell(), { clusters: { cq: clusterQueue(null) } }, []],
    [
      'a selector on a label that stays',
      cell(),
      { clusters: { cq: clusterQueue({ matchLabels: { zone: 'a' } }) } },
      [],
    ],
    [
      'a selector that does not match now either',
      cell(),
      { clusters: { cq: clusterQueue({ matchLabels: { 'tau.azure.com/workspace': 'x' } }) } },
      [],
    ],
    [
      'a selector that only the stripped namespace matches',
      cell(),
      {
        clusters: {
          cq: clusterQueue({ matchExpressions: [{ key: 'tau.azure.com/workspace', operator: 'DoesNotExist' }] }),
        },
      },
      [],
    ],
    ['no LocalQueue', cell(), { locals: { q: absent } }, []],
    ['a LocalQueue that leads nowhere', cell(), { locals: { q: localQueue('') } }, []],
    ['no ClusterQueue', cell(), { clusters: { cq: absent } }, []],
    [
      'no LocalQueue, but quota held',
      cell({ admittedTo: 'cq' }),
      { locals: { q: absent } },
      ['tau.azure.com/workspace'],
    ],
    [
      'quota held in one that is independent, a LocalQueue that leads to one that is not',
      cell({ admittedTo: 'old' }),
      { clusters: { old: clusterQueue(everything), cq: clusterQueue(dependent) } },
      ['tau.azure.com/workspace'],
    ],
    [
      'quota held in one that is dependent, a LocalQueue that leads to one that is not',
      cell({ admittedTo: 'old' }),
      { clusters: { old: clusterQueue(dependent), cq: clusterQueue(everything) } },
      ['tau.azure.com/workspace'],
    ],
    [
      'Kueue’s own selector on a label that goes',
      cell(),
      {
        managed: { matchExpressions: [{ key: 'tau.azure.com/team', operator: 'Exists' }] },
        clusters: { cq: clusterQueue(everything) },
      },
      ['tau.azure.com/team'],
    ],
    [
      'Kueue’s own selector, for a Workload without any queue',
      cell({ queue: '' }),
      { managed: dependent },
      ['tau.azure.com/workspace'],
    ],
    [
      'Kueue’s own selector, for what names no queue',
      cell({ managed: 'unnamed', queue: '' }),
      { managed: dependent },
      [],
    ],
    [
      'Kueue’s own selector, for what names no queue but is taken all the same',
      cell({ managed: 'unnamed', queue: '' }),
      { managed: dependent, managesUnnamed: true },
      ['tau.azure.com/workspace'],
    ],
    [
      'work that Kueue never takes',
      cell({ managed: 'no', queue: '' }),
      { managed: dependent, managesUnnamed: true },
      [],
    ],
  ])('%s', (_, of, given, keys) => {
    const route = routeOf(of, evidence(given));
    expect(route.labelKeys).toEqual(keys);
    expect(route.faults).toEqual([]);
    expect(needsLabels(of, route)).toBe(keys.length > 0);
  });

  it('names the queue that needs them', () => {
    const given = { clusters: { old: clusterQueue(everything), cq: clusterQueue(dependent) } };
    expect(routeOf(cell({ admittedTo: 'old' }), evidence(given))).toEqual({
      clusterQueues: ['old', 'cq'],
      needing: 'cq',
      labelKeys: ['tau.azure.com/workspace'],
      faults: [],
    });
  });

  it('is not known for what runs on another cluster', () => {
    const of = cell({ remoteCluster: 'west' });
    expect(needsLabels(of, routeOf(of, evidence({ clusters: { cq: clusterQueue(everything) } })))).toBe(true);
  });
});

describe('a route that cannot be judged', () => {
  const independent = { clusters: { cq: clusterQueue(everything) } };
  test.each<[string, CellKey, Given, object]>([
    [
      'a LocalQueue that cannot be read',
      cell(),
      { locals: { q: unreadable('403', false) } },
      { kind: 'LocalQueue', name: 'q', fault: 'unreadable', reason: '403' },
    ],
    [
      'a LocalQueue that has not been read',
      cell(),
      { locals: {} },
      { kind: 'LocalQueue', name: 'q', fault: 'unreadable', reason: 'it has not been read' },
    ],
    [
      'a ClusterQueue that cannot be read',
      cell(),
      { clusters: { cq: unreadable('503', true) } },
      { kind: 'ClusterQueue', name: 'cq', fault: 'unreadable', reason: '503' },
    ],
    [
      'a ClusterQueue that has not been read',
      cell(),
      { clusters: {} },
      { kind: 'ClusterQueue', name: 'cq', fault: 'unreadable', reason: 'it has not been read' },
    ],
    [
      'a ClusterQueue under another UID than recorded',
      cell(),
      { ...independent, recorded: { cq: 'earlier' } },
      { kind: 'ClusterQueue', name: 'cq', fault: 'replaced', uid: 'c', reason: 'it has UID c, recorded is earlier' },
    ],
  ])('%s', (_, of, given, fault) => {
    const route = routeOf(of, evidence(given));
    expect(route.faults).toEqual([fault]);
    expect(needsLabels(of, route)).toBe(true);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['the UID as recorded', { cq: 'c' }],
    ['no UID recorded', { cq: '' }],
    ['the UID of another queue', { other: 'x' }],
  ])('not for %s', (_, recorded) => {
    expect(routeOf(cell(), evidence({ ...independent, recorded })).faults).toEqual([]);
  });
});

describe('a route through which nothing will be admitted', () => {
  test.each<[string, CellKey, Given, string | undefined]>([
    ['no LocalQueue', cell(), { locals: { q: absent } }, 'LocalQueue q does not exist'],
    ['no ClusterQueue', cell(), { clusters: { cq: absent } }, 'LocalQueue q leads to no ClusterQueue that exists'],
    ['no queue at all', cell({ queue: '' }), {}, 'it names no queue'],
    ['a stopped LocalQueue', cell(), { locals: { q: localQueue('cq', true) } }, 'queue q is stopped'],
    ['a stopped ClusterQueue', cell(), { clusters: { cq: clusterQueue({}, { stopped: true }) } }, 'queue q is stopped'],
    ['an open one', cell(), {}, undefined],
    ['one that it is past', cell({ admittedTo: 'cq' }), { locals: { q: absent } }, undefined],
    ['one that cannot be judged', cell(), { locals: { q: unreadable('403', false) } }, undefined],
  ])('%s', (_, of, given, closed) => {
    expect(routeOf(of, evidence(given)).closed).toBe(closed);
  });
});

describe('queues as read', () => {
  test.each<[string, unknown, Outcome<LocalQueueFacts>]>([
    [
      'one that leads on',
      { metadata: { uid: 'u' }, spec: { clusterQueue: 'cq' } },
      found({ uid: 'u', clusterQueue: 'cq', stopped: false }),
    ],
    ['one that leads nowhere', { metadata: { uid: 'u' } }, found({ uid: 'u', clusterQueue: '', stopped: false })],
    [
      'one on hold',
      { metadata: { uid: 'u' }, spec: { clusterQueue: 'cq', stopPolicy: 'Hold' } },
      found({ uid: 'u', clusterQueue: 'cq', stopped: true }),
    ],
    [
      'one with stopPolicy None',
      { metadata: { uid: 'u' }, spec: { clusterQueue: 'cq', stopPolicy: 'None' } },
      found({ uid: 'u', clusterQueue: 'cq', stopped: false }),
    ],
    ['one without a UID', { metadata: {}, spec: { clusterQueue: 'cq' } }, unreadable('metadata.uid is empty', false)],
    [
      'one whose ClusterQueue is no text',
      { metadata: { uid: 'u' }, spec: { clusterQueue: 1 } },
      unreadable('clusterQueue is no text', false),
    ],
  ])('LocalQueue: %s', (_, object, expected) => expect(readLocalQueue(object)).toEqual(expected));

  test.each<[string, unknown, Outcome<ClusterQueueFacts>]>([
    [
      'without a selector',
      { metadata: { uid: 'u' }, spec: {} },
      found({ uid: 'u', namespaceSelector: { kind: 'nothing' }, stopped: false }),
    ],
    [
      'with an empty one',
      { metadata: { uid: 'u' }, spec: { namespaceSelector: {} } },
      found({ uid: 'u', namespaceSelector: { kind: 'requirements', requirements: [] }, stopped: false }),
    ],
    [
      'that is stopped',
      { metadata: { uid: 'u' }, spec: { stopPolicy: 'HoldAndDrain' } },
      found({ uid: 'u', namespaceSelector: { kind: 'nothing' }, stopped: true }),
    ],
    [
      'with an unknown operator',
      { metadata: { uid: 'u' }, spec: { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } } },
      unreadable('namespaceSelector: "Near" is no operator of a label selector', false),
    ],
    ['that is no object', 'cq', unreadable('object is no object', false)],
  ])('ClusterQueue: %s', (_, object, expected) => expect(readClusterQueue(object)).toEqual(expected));
});

describe('Kueue’s configuration', () => {
  test.each<[string, unknown, ReturnType<typeof readKueueConfiguration>]>([
    ['that says nothing', {}, found(defaultKueueConfiguration)],
    ['that is empty', null, found(defaultKueueConfiguration)],
    [
      'with a selector',
      { managedJobsNamespaceSelector: dependent },
      found({ managedNamespaces: selector(dependent), managesUnnamed: false }),
    ],
    [
      'that takes all',
      { manageJobsWithoutQueueName: true },
      found({ ...defaultKueueConfiguration, managesUnnamed: true }),
    ],
    [
      'with an invalid selector',
      { managedJobsNamespaceSelector: { matchLabels: 1 } },
      unreadable('managedJobsNamespaceSelector: matchLabels is no object', false),
    ],
    [
      'with a flag that is none',
      { manageJobsWithoutQueueName: 'yes' },
      unreadable("Kueue's configuration: manageJobsWithoutQueueName is no boolean", false),
    ],
    ['that is a text', 'x', unreadable("Kueue's configuration: configuration is no object", false)],
  ])('%s', (_, parsed, expected) => expect(readKueueConfiguration(parsed)).toEqual(expected));
});

describe('marks that a workspace may take off', () => {
  const marks = {
    labels: {
      'tau.azure.com/workspace': 'vision',
      'app.kubernetes.io/managed-by': 'tau-core-controller',
      'tau.azure.com/team': 'eyes',
    },
    annotations: { 'tau.azure.com/owner-uid': 'w', 'tau.azure.com/result-scope': 's3://x' },
  };
  const all = {
    labels: ['app.kubernetes.io/managed-by', 'tau.azure.com/team', 'tau.azure.com/workspace'],
    annotations: ['tau.azure.com/result-scope', 'tau.azure.com/owner-uid'],
  };
  test.each<[string, typeof marks, string, object]>([
    ['all, as it wrote them', marks, 'w', all],
    ['none of a namespace of another workspace', marks, 'other', { labels: [], annotations: [] }],
    [
      'none of a namespace that names no owner',
      { ...marks, annotations: { ...marks.annotations, 'tau.azure.com/owner-uid': '' } },
      '',
      { labels: [], annotations: [] },
    ],
    [
      'not what Helm wrote since',
      { ...marks, labels: { ...marks.labels, 'app.kubernetes.io/managed-by': 'Helm' } },
      'w',
      { ...all, labels: ['tau.azure.com/team', 'tau.azure.com/workspace'] },
    ],
    [
      'nothing that is none of its keys',
      { ...marks, labels: { zone: 'a' } as unknown as typeof marks.labels },
      'w',
      { ...all, labels: [] },
    ],
  ])('%s', (_, live, uid, expected) => expect(ownMarks(live, uid, marks)).toEqual(expected));
});
