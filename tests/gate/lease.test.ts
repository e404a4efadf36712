import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holderIdentity, type LeaseHolder, microTime, parseHolder } from '../../src/gate/model/lease.js';
import { judgeLease, type LeaseSight } from '../../src/gate/rules/lease.js';
import { leaseFacts } from '../builders/lease.js';

const self = 'lab/20260102T000000Z-bbbbbbbb/1-2@3';
const sight = (fields: Partial<LeaseSight> = {}): LeaseSight => ({
  namespace: 'django-ray',
  lease: leaseFacts(),
  self,
  life: 'unknown',
  unchangedSeconds: 0,
  renewalSeen: false,
  ...fields,
});
const update = (lease: LeaseSight['lease'], why: string) => ({ kind: 'ready', facts: { how: 'update', lease, why } });
const holder = 'run 20260101T000000Z-aaaaaaaa of stack other, pid 4711';
const since = `another gate holds Lease django-ray/raygate-gate since 2026-01-01T00:00:00.000000Z: ${holder}`;
const refused = {
  kind: 'failed',
  code: 'gate.lease-held',
  detail: `${since}; wait for it to end or end it, then run again`,
};

describe('the Lease', () => {
  const rows: readonly [string, Partial<LeaseSight>, object][] = [
    ['is made where there is none', { lease: undefined }, { kind: 'ready', facts: { how: 'create' } }],
    [
      'is taken when it was released',
      { lease: leaseFacts({ identity: '' }) },
      update(leaseFacts({ identity: '' }), 'it was released'),
    ],
    [
      'is taken again by the process that holds it',
      { lease: leaseFacts({ identity: self }), life: 'alive' },
      update(leaseFacts({ identity: self }), 'it is ours'),
    ],
    [
      'is taken at once when its process is proven gone',
      { life: 'dead' },
      update(leaseFacts(), `its holder, ${holder}, is gone`),
    ],
    ['is refused at once when its process lives here', { life: 'alive' }, refused],
    ['is refused when it was seen to be renewed', { renewalSeen: true }, refused],
    [
      'is refused when it was seen to be renewed, however long we look',
      { renewalSeen: true, unchangedSeconds: 300 },
      refused,
    ],
    [
      'is watched while nobody can say whether its holder lives',
      { unchangedSeconds: 29.9 },
      {
        kind: 'waiting',
        code: 'gate.lease-held',
        detail: `${since}; a holder that does not renew it for 30 s is taken for dead`,
      },
    ],
    [
      'is taken when it was not renewed for its whole duration',
      { unchangedSeconds: 30 },
      update(leaseFacts(), `its holder, ${holder}, did not renew it for 30 s`),
    ],
    [
      'is watched for as long as its own holder says',
      { lease: leaseFacts({ durationSeconds: 60 }), unchangedSeconds: 59 },
      {
        kind: 'waiting',
        code: 'gate.lease-held',
        detail: `${since}; a holder that does not renew it for 60 s is taken for dead`,
      },
    ],
    [
      'is watched for thirty seconds when it names no duration',
      { lease: leaseFacts({ durationSeconds: 0 }), unchangedSeconds: 29 },
      {
        kind: 'waiting',
        code: 'gate.lease-held',
        detail: `${since}; a holder that does not renew it for 30 s is taken for dead`,
      },
    ],
    [
      'is named as it stands there when its holder is no gate of ours',
      { lease: leaseFacts({ identity: 'somebody', acquireTime: '' }), renewalSeen: true },
      {
        kind: 'failed',
        code: 'gate.lease-held',
        detail:
          'another gate holds Lease django-ray/raygate-gate since an unknown time: "somebody"; wait for it to end or end it, then run again',
      },
    ],
  ];
  test.each(rows)('%s', (_, fields, verdict) => {
    expect(judgeLease(sight(fields))).toEqual(verdict);
  });
});

describe('the name of a holder', () => {
  const word = (most: number) => fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { maxLength: most });
  const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
  const holders: fc.Arbitrary<LeaseHolder> = fc.record({
    stack: word(40),
    runId: word(30),
    process: fc.record({
      pid: fc.integer({ min: 1, max: 4_194_304 }),
      start: fc.nat().map(String),
      scope: fc.oneof(hex, fc.constant('0')),
    }),
  });

  test('is read back as it was written', () => {
    fc.assert(fc.property(holders, (one) => void expect(parseHolder(holderIdentity(one))).toEqual(one)));
  });

  test.each([
    '',
    'somebody',
    'a/b/0-1@0',
    'a/b/1-x@0',
    'a/b/1-1@XYZ',
    'a/b/c/1-1@0',
    ' a/b/1-1',
    `a/b/1-1@${'0'.repeat(17)}`,
  ])('is none of ours when it is "%s"', (text) => {
    expect(parseHolder(text)).toBeUndefined();
  });

  test('stands beside a time with six digits of a second', () => {
    expect(microTime(new Date('2026-01-31T12:00:00.5Z'))).toBe('2026-01-31T12:00:00.500000Z');
  });
});
