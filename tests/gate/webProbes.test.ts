import { describe, expect, test } from 'vitest';
import { judgeProbeAnswer, type ProbeRequest, probeRequests } from '../../src/gate/rules/webProbes.js';

const ok = { status: 200, body: '{"status":"ok"}' };
const health: ProbeRequest = {
  via: 'node-port',
  path: '/api/health',
  host: 'django-ray.localhost',
  authorization: 'none',
  expected: 200,
};
const wrongHost: ProbeRequest = { ...health, host: 'wrong', expected: 400 };
const closed: ProbeRequest = { ...health, path: '/api/executions/stats', expected: 401 };
const open: ProbeRequest = { ...closed, authorization: 'token', expected: 200 };

describe('the requests to web', () => {
  test('ask by both ways, with right and wrong names, and give the token to no pod', () => {
    const text = ({ via, path, host, authorization, expected }: ProbeRequest) =>
      `${via} ${path} ${host} ${authorization} ${expected}`;
    expect(probeRequests.map(text)).toEqual([
      'node-port /api/health django-ray.localhost none 200',
      'node-port /api/health raygate-wrong-host.invalid none 400',
      'node-port /api/executions/stats django-ray.localhost none 401',
      'node-port /api/executions/stats django-ray.localhost wrong 401',
      'node-port /api/executions/stats django-ray.localhost token 200',
      'service /api/health django-ray.localhost none 200',
      'service /api/health django-web-svc none 200',
      'service /api/health raygate-wrong-host.invalid none 400',
      'service /api/executions/stats django-ray.localhost none 401',
    ]);
  });
});

const rows: readonly [string, ProbeRequest, { status: number; body: string } | undefined, string][] = [
  ['health with its body is proven', health, ok, 'ready'],
  ['a wrong Host that is refused is proven', wrongHost, { status: 400, body: '' }, 'ready'],
  ['an API that is closed without its token is proven', closed, { status: 401, body: '' }, 'ready'],
  ['an API that is open with its token is proven, whatever it says', open, { status: 200, body: 'x' }, 'ready'],
  ['no answer is waited for', health, undefined, 'waiting probes.no-answer'],
  ['a server error is waited for', health, { status: 502, body: '' }, 'waiting probes.server-error'],
  ['too many requests are waited for', open, { status: 429, body: '' }, 'waiting probes.server-error'],
  ['a moved health fails', health, { status: 301, body: '' }, 'failed probes.redirect'],
  ['an API that sends to a login page fails', closed, { status: 302, body: '' }, 'failed probes.redirect'],
  ['an unchanged answer is a redirect too', health, { status: 399, body: '' }, 'failed probes.redirect'],
  ['an API that is open without its token fails', closed, { status: 200, body: '' }, 'failed probes.open'],
  ['an API that forbids instead of asking for a token fails', closed, { status: 403, body: '' }, 'failed probes.open'],
  ['a wrong Host that is answered fails', wrongHost, ok, 'failed probes.wrong-host-accepted'],
  ['a token that is refused fails', open, { status: 401, body: '' }, 'failed probes.refused'],
  ['health that wants a token fails', health, { status: 401, body: '' }, 'failed probes.health'],
  ['a right Host that is refused fails', health, { status: 400, body: '' }, 'failed probes.health'],
  ['health of somebody else fails', health, { status: 200, body: '<html>' }, 'failed probes.health-body'],
  ['health that is not ok fails', health, { status: 200, body: '{"status":"no"}' }, 'failed probes.health-body'],
];

describe('an answer of web', () => {
  test.each(rows)('%s', (_, request, answer, verdict) => {
    const result = judgeProbeAnswer(request, answer);
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('is told with what was asked, and without its body', () => {
    expect(judgeProbeAnswer({ ...open, via: 'service' }, { status: 401, body: 'secret' })).toEqual({
      kind: 'failed',
      code: 'probes.refused',
      detail:
        'GET /api/executions/stats by the Service as Host django-ray.localhost with the token answered 401, not 200: the API refuses its own token.',
    });
  });

  test('that is right is kept with what was asked', () => {
    expect(judgeProbeAnswer(wrongHost, { status: 400, body: '' })).toEqual({
      kind: 'ready',
      facts: { via: 'node-port', request: 'GET /api/health', host: 'wrong', authorization: 'none', status: 400 },
    });
  });
});
