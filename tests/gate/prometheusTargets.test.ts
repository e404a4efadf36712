import { describe, expect, test } from 'vitest';
import type { Sample, ScrapeTarget } from '../../src/gate/model/prometheus.js';
import { judgeTargets } from '../../src/gate/rules/prometheusTargets.js';
import { headTarget, sinceMs, target, upOf, workerTarget } from '../builders/prometheus.js';

const expected = {
  heads: 1,
  workers: [
    { name: 'worker-a', uid: 'worker-a-uid', ip: '10.0.0.1' },
    { name: 'worker-b', uid: 'worker-b-uid', ip: '10.0.0.2' },
  ],
  workerPort: 8080,
  sinceMs,
};
const well = [target(), headTarget(), workerTarget('a'), workerTarget('b')];
/** The planned targets with one in the place of the one at its job and address. */
const withTarget = (changed: ScrapeTarget) =>
  well.map((one) => (one.job === changed.job && one.pod === changed.pod ? changed : one));
const judge = (targets: readonly ScrapeTarget[], up: readonly Sample[] = upOf(targets)) =>
  judgeTargets(targets, up, expected);

const rows: readonly [string, readonly ScrapeTarget[], string, string][] = [
  [
    'a target that is down',
    withTarget(target({ health: 'down', lastError: 'server returned HTTP status 401' })),
    'waiting prometheus.unhealthy',
    'django-ray django-web-svc:80 is down: server returned HTTP status 401',
  ],
  [
    'a target that was never scraped',
    withTarget(headTarget({ health: 'unknown', lastScrapeMs: Date.parse('0001-01-01T00:00:00Z') })),
    'waiting prometheus.unhealthy',
    'ray-head ray-head-svc:8080 is unknown',
  ],
  [
    'a target that is called up but was never scraped',
    withTarget(headTarget({ lastScrapeMs: Date.parse('0001-01-01T00:00:00Z') })),
    'waiting prometheus.not-fresh',
    'ray-head ray-head-svc:8080 was scraped never',
  ],
  [
    'a target that was scraped at the very start',
    withTarget(headTarget({ lastScrapeMs: sinceMs })),
    'waiting prometheus.not-fresh',
    'ray-head ray-head-svc:8080 was scraped last at 2026-01-01T00:00:00.000Z',
  ],
  [
    'a worker that no longer lives',
    [...well, workerTarget('a', { pod: 'worker-old', podUid: 'old-uid', instance: '10.0.0.9:8080' })],
    'waiting prometheus.stale-target',
    'ray-workers 10.0.0.9:8080 is of pod worker-old (old-uid), which is no live worker',
  ],
  [
    'a worker that discovery did not find',
    withTarget(workerTarget('a', { podUid: '' })),
    'waiting prometheus.stale-target',
    'ray-workers 10.0.0.1:8080 is of no pod',
  ],
  [
    'a live worker at an address that it does not have',
    withTarget(workerTarget('b', { instance: '10.0.0.7:8080' })),
    'waiting prometheus.address',
    'ray-workers 10.0.0.7:8080 is pod worker-b, which is at 10.0.0.2:8080',
  ],
  [
    "a live worker under another one's label",
    well.map((one) => (one.pod === 'worker-b' ? { ...one, pod: 'worker-a' } : one)),
    'failed prometheus.pod-label',
    'Target ray-workers 10.0.0.2:8080 is labelled pod="worker-a", but is pod worker-b.',
  ],
  ['no target of web', well.slice(1), 'waiting prometheus.count', 'django-ray has 0 targets at 0 addresses, not 1'],
  ['a missing worker', well.slice(0, 3), 'waiting prometheus.count', 'ray-workers has 1 targets at 1 addresses, not 2'],
  [
    'two heads',
    [...well, headTarget({ instance: 'other:8080' })],
    'waiting prometheus.count',
    'ray-head has 2 targets at 2 addresses, not 1',
  ],
  [
    'one worker twice instead of two',
    [...well.slice(0, 3), workerTarget('a')],
    'waiting prometheus.count',
    'ray-workers has 2 targets at 1 addresses, not 2',
  ],
  [
    'the removed pool',
    [...well, target({ job: 'django-ray-worker', instance: 'x:1' })],
    'failed prometheus.removed-pool',
    'Prometheus scrapes x:1 in the removed job django-ray-worker: task managers expose no HTTP.',
  ],
  [
    'a target that answers with a web page',
    withTarget(
      target({ health: 'down', lastError: 'expected a valid start token, got "<" ("INVALID") while parsing: "<"' }),
    ),
    'failed prometheus.unparsable',
    'Target django-ray django-web-svc:80 answers with something that is no metrics: expected a valid start token, got "<" ("INVALID") while parsing: "<".',
  ],
  [
    'a target that is up again after such an answer',
    withTarget(target({ lastError: 'x while parsing: y', health: 'unknown' })),
    'waiting prometheus.unhealthy',
    'django-ray django-web-svc:80 is unknown: x while parsing: y',
  ],
];

describe("Prometheus's targets", () => {
  test('are proven when they are the planned ones, well and fresh; those of other jobs do not matter', () => {
    const other = target({ job: 'somebody-else', health: 'down' });
    expect(judge([...well, other])).toEqual({
      kind: 'ready',
      facts: { counts: { 'django-ray': 1, 'ray-head': 1, 'ray-workers': 2 }, removedPool: 'absent', targets: well },
    });
  });

  test.each(rows)('with %s', (_, targets, verdict, detail) => {
    const result = judge(targets);
    expect(result.kind === 'ready' ? [] : [`${result.kind} ${result.code}`, result.detail]).toEqual([verdict, detail]);
  });

  test.each([
    ['is stored as 0', '0', 'up of ray-workers 10.0.0.2:8080 is 0'],
    ['is not stored', undefined, 'up of ray-workers 10.0.0.2:8080 is not stored'],
  ])('are waited for when up of one of them %s', (_, value, detail) => {
    const up = [...upOf(well.slice(0, 3)), ...(value === undefined ? [] : upOf(well.slice(3), value))];
    expect(judge(well, up)).toEqual({ kind: 'waiting', code: 'prometheus.up', detail });
  });

  test('are waited for while series of the removed pool are there', () => {
    const up = [...upOf(well), { labels: { job: 'django-ray-worker', instance: 'x:1' }, value: '0' }];
    expect(judge(well, up)).toMatchObject({ kind: 'waiting', code: 'prometheus.removed-series' });
  });

  test('are named together when several are unwell, and counted only when none is', () => {
    const targets = [target({ health: 'down' }), headTarget({ health: 'down' })];
    expect(judge(targets)).toEqual({
      kind: 'waiting',
      code: 'prometheus.unhealthy',
      detail: 'django-ray django-web-svc:80 is down; ray-head ray-head-svc:8080 is down',
    });
  });

  test('bring long errors cut short', () => {
    const lastError = 'e'.repeat(20_000);
    const verdict = judge(well.map((one) => ({ ...one, health: 'down', lastError })));
    expect(verdict.kind === 'waiting' && verdict.detail.length).toBeLessThan(2_500);
  });
});
