import { describe, expect, test } from 'vitest';
import type { RunDecision } from '../../src/gate/model/runDecision.js';
import type { StatusFacts } from '../../src/gate/model/status.js';
import { statusText } from '../../src/gate/report/statusText.js';
import { progressLines } from '../../src/gate/rules/progressLines.js';
import { judgeStatus } from '../../src/gate/rules/status.js';
import { elsewhere, holderOf, leaseFacts } from '../builders/lease.js';

const [first, second] = ['20260101T000000Z-aaaaaaaa', '20260102T000000Z-bbbbbbbb'];
const proof = { runId: first, finishedAt: '2026-01-01T00:05:00Z', commit: '2'.repeat(40) };
const line = (layer: string, text: string) => ({ layer, at: '2026-01-02T00:00:01.000Z', text });
const run = (runId: string, fields: Partial<NonNullable<StatusFacts['run']>> = {}) => ({
  runId,
  voidReason: undefined,
  lines: [],
  ...fields,
});
const heldBy = (runId: string, life: 'alive' | 'dead' | 'unknown', stack = 'lab') => ({
  facts: leaseFacts({ identity: holderOf(elsewhere, runId, stack) }),
  life,
});
const still: RunDecision = { kind: 'still-proven', runId: first, since: proof.finishedAt, checked: ['2 images', 'x'] };

/** Proven, and nothing under way. */
const facts = (fields: Partial<StatusFacts> = {}): StatusFacts => ({
  proof,
  run: run(first),
  lease: { facts: leaseFacts({ identity: '' }), life: 'unknown' },
  unreadable: undefined,
  layers: [{ layer: 'ray', state: 'ready', detail: 'x' }],
  decision: still,
  ...fields,
});
const provenWords = `run ${first} of 2026-01-01T00:05:00Z, commit 222222222222`;

describe('the status of a stack', () => {
  test('is healthy when its proof holds and every layer is as it was', () => {
    expect(judgeStatus(facts())).toEqual({
      healthy: true,
      proof: `holds: ${provenWords} (checked live: 2 images, x)`,
      run: 'none is under way; the last one ended in proof',
      steps: [],
      layers: facts().layers,
      up: { does: 'nothing', why: 'source, settings and everything that was proven are the same' },
    });
  });

  const unhealthy: readonly [string, Partial<StatusFacts>][] = [
    ['a layer waits', { layers: [{ layer: 'ray', state: 'waiting', code: 'x', detail: 'x' }] }],
    ['a layer failed', { layers: [{ layer: 'ray', state: 'failed', code: 'x', detail: 'x' }] }],
    ['a layer was not reached', { layers: [{ layer: 'ray', state: 'not-reached', detail: 'x' }] }],
    ['there is work to do', { decision: { kind: 'new', runId: second, why: 'x' } }],
    ['a run did not end', { decision: { kind: 'continued', runId: second } }],
    ['an up would not begin', { decision: { kind: 'refused', why: 'x' } }],
  ];
  test.each(unhealthy)('is not healthy when %s', (_, fields) => {
    expect(judgeStatus(facts(fields)).healthy).toBe(false);
  });

  test('is healthy with layers that cannot be looked at without acting', () => {
    const layers = [{ layer: 'api-smoke', state: 'seen', detail: 'x' }] as const;
    expect(judgeStatus(facts({ layers })).healthy).toBe(true);
  });

  const proofs: readonly [string, Partial<StatusFacts>, string][] = [
    ['none', { proof: undefined }, 'nothing was proven yet'],
    [
      'one that holds no more, and why',
      { decision: { kind: 'new', runId: second, why: 'the source tree has changed' } },
      `holds no more: ${provenWords}: the source tree has changed`,
    ],
    [
      'one behind a run that did not end',
      { decision: { kind: 'continued', runId: second } },
      `${provenWords}; a later run did not end`,
    ],
    [
      'one that was not looked at',
      { decision: { kind: 'refused', why: 'dirty' } },
      `${provenWords}; whether it holds was not looked at`,
    ],
  ];
  test.each(proofs)('names its proof: %s', (_, fields, words) => {
    expect(judgeStatus(facts(fields)).proof).toBe(words);
  });

  const since = '2026-01-01T00:00:00.000000Z';
  const runs: readonly [string, Partial<StatusFacts>, string][] = [
    ['none was begun', { run: undefined }, 'none was begun on this machine'],
    [
      'one is under way',
      { run: run(second), lease: heldBy(second, 'alive') },
      `${second} is under way since ${since}, pid 4711`,
    ],
    [
      'one is under way on a machine that cannot be looked at',
      { run: run(second), lease: heldBy(second, 'unknown') },
      `${second} is under way since ${since}, pid 4711, whose process cannot be seen from here`,
    ],
    ['one was killed', { run: run(second), lease: heldBy(second, 'dead') }, `none is under way; ${second} did not end`],
    [
      'one is void',
      { run: run(second, { voidReason: 'pod head restarted' }) },
      `none is under way; ${second} ended and can prove nothing more: pod head restarted`,
    ],
    [
      "it is another stack's",
      { lease: heldBy(second, 'alive', 'other') },
      `not this stack's on this machine: the Lease is held by run ${second} of stack other, pid 4711 since ${since}`,
    ],
    [
      'the Lease was left by a process that is gone',
      { lease: heldBy(second, 'dead', 'other') },
      'none is under way; the last one ended in proof',
    ],
    ['nobody can say', { lease: undefined, unreadable: '403' }, 'unknown: the cluster cannot be read: 403'],
    ['there is no Lease', { lease: undefined }, 'none is under way; the last one ended in proof'],
  ];
  test.each(runs)('says what is under way when %s', (_, fields, words) => {
    expect(judgeStatus(facts(fields)).run).toBe(words);
  });

  const lines = [line('drain', 'passed in 1.0 s'), line('images', 'failed: no disk (x)'), line('ray', 'head 0/1')];
  const steps: readonly [string, Partial<StatusFacts>, readonly string[]][] = [
    ['at work, of a run under way', { run: run(second, { lines }), lease: heldBy(second, 'alive') }, ['ray']],
    ['that did not pass, of one that did not end', { run: run(second, { lines }) }, ['images', 'ray']],
    ['none, of one that ended in proof', { run: run(first, { lines }) }, []],
  ];
  test.each(steps)('shows the layers %s', (_, fields, layers) => {
    expect(judgeStatus(facts(fields)).steps.map(({ layer }) => layer)).toEqual(layers);
  });

  const ups: readonly [RunDecision | { kind: 'refused'; why: string }, object][] = [
    [
      { kind: 'continued', runId: second },
      { does: 'continue', why: `run ${second} of the same plan did not end` },
    ],
    [
      { kind: 'new', runId: second, why: 'because' },
      { does: 'new-run', why: 'because' },
    ],
    [
      { kind: 'refused', why: 'dirty' },
      { does: 'refused', why: 'dirty' },
    ],
  ];
  test.each(ups)('says what an up would do (%o)', (decision, up) => {
    expect(judgeStatus(facts({ decision })).up).toEqual(up);
  });
});

describe('the log of a run', () => {
  test('gives the newest line of each layer, those that spoke last at the end', () => {
    const log = [
      '2026-01-01T00:00:00.000Z [drain] starting',
      '2026-01-01T00:00:01.000Z [images] building [1/2]',
      'cut off [drain] no',
      '2026-01-01T00:00:02.000Z no layer',
      '2026-01-01T00:00:03.000Z [drain] passed in 3.0 s',
      '',
    ].join('\n');
    expect(progressLines(log)).toEqual([
      { layer: 'images', at: '2026-01-01T00:00:01.000Z', text: 'building [1/2]' },
      { layer: 'drain', at: '2026-01-01T00:00:03.000Z', text: 'passed in 3.0 s' },
    ]);
  });
});

describe('a status on a screen', () => {
  const head = { stack: 'lab', context: 'docker-desktop', server: 'https://127.0.0.1:6443', namespace: 'django-ray' };

  test('is a line for each thing, in columns', () => {
    const status = judgeStatus(
      facts({
        run: run(second, { lines: [line('ray', 'head 0/1')] }),
        decision: { kind: 'continued', runId: second },
        layers: [
          { layer: 'images', state: 'ready', detail: 'passed at T in 1.0 s' },
          { layer: 'app-convergence', state: 'waiting', code: 'x', detail: 'web-1: web not ready' },
        ],
      }),
    );
    expect(statusText(head, status, (text) => text).split('\n')).toEqual([
      'stack  lab: namespace django-ray of docker-desktop at https://127.0.0.1:6443',
      `proof  ${provenWords}; a later run did not end`,
      `run    none is under way; ${second} did not end`,
      '       [ray] head 0/1',
      'layers images           ok      passed at T in 1.0 s',
      '       app-convergence  WAITS   web-1: web not ready',
      `up     would go on: run ${second} of the same plan did not end`,
      '',
    ]);
  });

  test('is bounded, whatever the cluster says, and cleaned before it is cut', () => {
    const secret = 's3cret-0123456789';
    const detail = `${'x'.repeat(130)}${secret}\n${'y'.repeat(5_000)}`;
    const lines = Array.from({ length: 30 }, (_, i) => line(`layer-${'abcdefghijklmnopqrstuvwxyz'[i % 26]}`, detail));
    const layers = Array.from({ length: 16 }, () => ({ layer: 'l', state: 'failed', code: 'x', detail }) as const);
    const status = judgeStatus(
      facts({ run: run(second, { lines }), layers, decision: { kind: 'refused', why: detail } }),
    );
    const text = statusText(head, status, (one) => one.replaceAll(secret, '[REDACTED]'));
    expect(text.split('\n').length).toBeLessThanOrEqual(26);
    expect(Math.max(...text.split('\n').map((one) => one.length))).toBe(160);
    expect(text).not.toContain('s3cret');
  });
});
