import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScalar, readTargets, readVector } from '../../src/gate/model/prometheus.js';
import { judgePrometheusAnswer } from '../../src/gate/rules/prometheusAnswer.js';
import { target, targetsAnswer, workerTarget } from '../builders/prometheus.js';

const judge = (status: number, body: unknown) =>
  judgePrometheusAnswer('/x', status, typeof body === 'string' ? body : JSON.stringify(body), readScalar);
const scalar = (value: unknown) => ({ status: 'success', data: { resultType: 'scalar', result: [1, value] } });

describe('an answer of Prometheus', () => {
  test('gives what was asked for', () => {
    expect(judge(200, scalar('12.5'))).toEqual({ kind: 'ready', facts: 12.5 });
  });

  test.each([
    ['503', 503, '', 'waiting prometheus.server-error'],
    ['429', 429, '', 'waiting prometheus.server-error'],
    ['a redirect', 302, '', 'failed prometheus.redirect'],
    ['400', 400, { status: 'error', error: 'parse error' }, 'failed prometheus.refused'],
    ['404 and a page', 404, '<html>', 'failed prometheus.refused'],
    ['200 and a page', 200, '<html>', 'failed prometheus.body'],
    ['200 and an error', 200, { ...scalar('1'), status: 'error' }, 'failed prometheus.body'],
    ['200 and other data', 200, { status: 'success', data: {} }, 'failed prometheus.body'],
  ])('of %s is judged', (_, status, body, verdict) => {
    const result = judge(status, body);
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('that refuses says why', () => {
    expect(judge(400, { error: 'parse error at char 1' })).toMatchObject({
      detail: 'GET /x at Prometheus answered 400, not 200: parse error at char 1.',
    });
  });
});

describe("reading Prometheus's data", () => {
  const data = (answer: object) => (answer as { data: unknown }).data;

  test('targets are read with the UID that discovery found', () => {
    const targets = [target(), workerTarget('a')];
    expect(readTargets(data(targetsAnswer(targets)))).toEqual(targets);
  });

  test.each([
    ['no list', {}],
    ['a target without a job', { activeTargets: [{ labels: {}, lastScrape: '2026-01-01T00:00:00Z' }] }],
    [
      'one good target and one without a job',
      {
        activeTargets: [
          { labels: { job: 'x' }, lastScrape: '2026-01-01T00:00:00Z' },
          { labels: {}, lastScrape: '2026-01-01T00:00:00Z' },
        ],
      },
    ],
    ['a target without a time', { activeTargets: [{ labels: { job: 'x' } }] }],
  ])('targets with %s are none', (_, value) => {
    expect(readTargets(value)).toBeUndefined();
  });

  test('a vector is read with its labels', () => {
    const result = [{ metric: { job: 'a' }, value: [1, '1'] }];
    expect(readVector({ resultType: 'vector', result })).toEqual([{ labels: { job: 'a' }, value: '1' }]);
  });

  test.each([
    ['another type', { resultType: 'matrix', result: [] }],
    ['no result', { resultType: 'vector' }],
  ])('a vector of %s is none', (_, value) => {
    expect(readVector(value)).toBeUndefined();
  });

  test.each([
    ['another type', { resultType: 'vector', result: [1, '1'] }],
    ['a number that is no text', { resultType: 'scalar', result: [1, 1] }],
    ['no number', { resultType: 'scalar', result: [1, 'NaN'] }],
    ['nothing', { resultType: 'scalar', result: [1, ''] }],
  ])('a scalar of %s is none', (_, value) => {
    expect(readScalar(value)).toBeUndefined();
  });

  test('nothing throws, whatever is read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        readTargets(value);
        readVector(value);
        readScalar(value);
        readTargets({ activeTargets: [value] });
        readVector({ resultType: 'vector', result: [value] });
      }),
    );
  });
});
