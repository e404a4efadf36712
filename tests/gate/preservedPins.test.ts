import { describe, expect, test } from 'vitest';
import type { PreservedSnapshot } from '../../src/gate/model/preserved.js';
import { pinDifference } from '../../src/gate/rules/pinned.js';
import { judgePostgresPod, readSystemIdentifier } from '../../src/gate/rules/postgresIdentity.js';
import { preservedPins, preservedValues, seenPins } from '../../src/gate/rules/preservedPins.js';
import { owner, pod } from '../builders/pods.js';
import { snapshot, systemIdentifier } from '../builders/preserved.js';

const difference = (after: PreservedSnapshot, before = snapshot()) =>
  pinDifference([{ layer: 'drain', pins: preservedPins(before) }], seenPins(after));
const docker = (fields: Partial<PreservedSnapshot['docker']>) =>
  snapshot({ docker: { ...snapshot().docker, ...fields } });
const nothing: PreservedSnapshot = {
  claims: [],
  postgres: { kind: 'absent' },
  secret: undefined,
  namespaces: [],
  docker: { images: [], volumes: [], anonymousVolumes: 0 },
};

describe('what a run must preserve', () => {
  test.each([
    ['all is as it was', snapshot(), undefined],
    ['a claim is gone', snapshot({ claims: [] }), 'PersistentVolumeClaim postgres-pvc: gone (pinned by drain)'],
    [
      'a claim is another',
      snapshot({ claims: [{ name: 'postgres-pvc', uid: 'x', volume: 'v' }] }),
      'PersistentVolumeClaim postgres-pvc: uid c -> x (pinned by drain)',
    ],
    [
      'a claim has another volume',
      snapshot({ claims: [{ name: 'postgres-pvc', uid: 'c', volume: 'x' }] }),
      'PersistentVolumeClaim postgres-pvc: volume v -> x (pinned by drain)',
    ],
    [
      'a new pod serves the same data',
      snapshot({ postgres: { kind: 'observed', pod: 'postgres-2', podUid: 'q', systemIdentifier } }),
      undefined,
    ],
    [
      'the data are others',
      snapshot({ postgres: { kind: 'observed', pod: 'postgres-1', podUid: 'p', systemIdentifier: '1' } }),
      `PostgreSQL: system identifier ${systemIdentifier} -> 1 (pinned by drain)`,
    ],
    ['the data are gone', snapshot({ postgres: { kind: 'absent' } }), 'PostgreSQL: gone (pinned by drain)'],
    ['the Secret is gone', snapshot({ secret: undefined }), 'Secret django-ray-secret: gone (pinned by drain)'],
    [
      'the Secret holds other data',
      snapshot({ secret: { uid: 's', dataDigest: 'x' } }),
      'Secret django-ray-secret: data digest d -> x (pinned by drain)',
    ],
    ['a namespace is gone', snapshot({ namespaces: [] }), 'Namespace kube-system: gone (pinned by drain)'],
    [
      'an image is gone',
      docker({ images: [{ id: 'sha256:2', names: [] }] }),
      'Docker image sha256:1 (busybox:1.36): gone (pinned by drain)',
    ],
    ['an image lost its name', docker({ images: [{ id: 'sha256:1', names: [] }] }), undefined],
    ['a volume is gone', docker({ volumes: [] }), 'Docker volume data: gone (pinned by drain)'],
    ['anonymous volumes came and went', docker({ anonymousVolumes: 0 }), undefined],
  ] as const)('%s', (_, after, expected) => {
    expect(difference(after)).toBe(expected);
  });

  test('a claim that was not bound may be bound since', () => {
    const unbound = snapshot({ claims: [{ name: 'postgres-pvc', uid: 'c', volume: '' }] });
    expect(difference(snapshot(), unbound)).toBeUndefined();
  });

  test('what was not there, or could not be read, is not asked for', () => {
    expect(difference(snapshot(), nothing)).toBeUndefined();
    const unread = snapshot({ postgres: { kind: 'unreadable', reason: 'x' } });
    expect(difference(snapshot({ postgres: { kind: 'absent' } }), unread)).toBeUndefined();
  });
});

describe('what the evidence says of it', () => {
  const values = (fields: Partial<PreservedSnapshot>) => preservedValues(snapshot(fields));
  const all = {
    preserved_postgresql: 'true',
    preserved_pvcs: 'true',
    preserved_unrelated_namespaces: 'true',
    preserved_unrelated_docker_data: 'true',
  };
  test.each([
    ['everything was there', {}, {}],
    ['there was no data', { postgres: { kind: 'absent' } }, { preserved_postgresql: 'not-present-before' }],
    [
      'the data could not be read',
      { postgres: { kind: 'unreadable', reason: 'x' } },
      { preserved_postgresql: 'not-observed' },
    ],
    ['there was no claim', { claims: [] }, { preserved_pvcs: 'not-present-before' }],
    ['there was no other namespace', { namespaces: [] }, { preserved_unrelated_namespaces: 'not-present-before' }],
    [
      'Docker had nothing but what comes and goes',
      { docker: { images: [{ id: 'x', names: [] }], volumes: [], anonymousVolumes: 1 } },
      { preserved_unrelated_docker_data: 'not-present-before' },
    ],
    ['Docker had a volume only', { docker: { images: [], volumes: ['v'], anonymousVolumes: 0 } }, {}],
  ] as readonly [string, Partial<PreservedSnapshot>, Partial<typeof all>][])('%s', (_, fields, said) => {
    expect(values(fields)).toEqual({ ...all, ...said });
  });
});

describe('whose data PostgreSQL serves', () => {
  const selector = { app: 'postgres' };
  const serving = (name: string, fields: object = {}) =>
    pod({ name, labels: selector, owners: [owner('ReplicaSet', 'set', 'set-uid')], ...fields });

  test.each([
    ['the one pod that runs', [serving('a'), pod({ name: 'x' })], 'ready a'],
    ['none', [], 'waiting postgres.no-pod'],
    ['one that does not run yet', [serving('a', { phase: 'Pending' })], 'waiting postgres.no-pod'],
    ['one that is leaving', [serving('a', { terminating: true })], 'waiting postgres.no-pod'],
    ['one beside another that is leaving', [serving('a', { terminating: true }), serving('b')], 'ready b'],
    ['one of nobody', [serving('a', { owners: [] })], 'waiting postgres.no-pod'],
    ['one with other labels', [serving('a', { labels: {} })], 'waiting postgres.no-pod'],
    ['two', [serving('a'), serving('b')], 'failed postgres.pods'],
  ])('%s', (_, pods, expected) => {
    const result = judgePostgresPod(pods, selector);
    expect(result.kind === 'ready' ? `ready ${result.facts.name}` : `${result.kind} ${result.code}`).toBe(expected);
  });

  test.each([
    [`Database system identifier:           ${systemIdentifier}\n`, systemIdentifier],
    [`first\nDatabase system identifier: ${systemIdentifier}\nlast`, systemIdentifier],
    ['Datenbanksystemidentifikation: 1234567890123', undefined],
    ['Database system identifier: none', undefined],
    ['x Database system identifier: 1234567890123', undefined],
    ['', undefined],
  ])('%j names it %s', (output, identifier) => {
    expect(readSystemIdentifier(output)).toBe(identifier);
  });
});
