import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import { asRecord, parseJson } from '../model/json.js';
import { healthPath, webHost, webServiceName } from '../model/webFacts.js';

export interface ProbeRequest {
  /** `node-port`: from this machine under the web URL. `service`: from a pod, under the Service's name. */
  readonly via: 'node-port' | 'service';
  readonly path: string;
  /** Sent as Host header. */
  readonly host: string;
  /** `wrong`: a token that nobody issued. The right one never leaves this machine: no pod is given it. */
  readonly authorization: 'none' | 'wrong' | 'token';
  readonly expected: 200 | 400 | 401;
}

const guarded = '/api/executions/stats';
const wrongHost = 'raygate-wrong-host.invalid';

function request(
  via: ProbeRequest['via'],
  path: string,
  expected: ProbeRequest['expected'],
  fields: Partial<Pick<ProbeRequest, 'host' | 'authorization'>> = {},
): ProbeRequest {
  return { via, path, host: webHost, authorization: 'none', expected, ...fields };
}

/** Health is open to the hosts that are named, and to no other; everything else wants the token. */
export const probeRequests: readonly ProbeRequest[] = [
  request('node-port', healthPath, 200),
  request('node-port', healthPath, 400, { host: wrongHost }),
  request('node-port', guarded, 401),
  request('node-port', guarded, 401, { authorization: 'wrong' }),
  request('node-port', guarded, 200, { authorization: 'token' }),
  request('service', healthPath, 200),
  // Prometheus scrapes under this name.
  request('service', healthPath, 200, { host: webServiceName }),
  request('service', healthPath, 400, { host: wrongHost }),
  request('service', guarded, 401),
];

export interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

export interface ProbeFacts {
  readonly via: ProbeRequest['via'];
  /** `GET /api/health`. */
  readonly request: string;
  readonly host: string;
  readonly authorization: ProbeRequest['authorization'];
  readonly status: number;
}

/** One answer; undefined when there was none, for `reason`. A redirect is never followed, and always a failure. */
export function judgeProbeAnswer(
  asked: ProbeRequest,
  answer: ProbeAnswer | undefined,
  reason = 'no answer',
): Verdict<ProbeFacts> {
  const { via, path, host, authorization, expected } = asked;
  const what = `GET ${path} by the ${via === 'service' ? 'Service' : 'node port'} as Host ${host} ${tokenText(authorization)}`;
  if (answer === undefined) return waiting('probes.no-answer', `${what}: ${reason}`);
  const { status, body } = answer;
  const fault = (code: string, why: string) =>
    failed(`probes.${code}`, `${what} answered ${status}, not ${expected}: ${why}.`);
  if (status >= 300 && status < 400) return fault('redirect', 'web must not redirect');
  if (status >= 500 || status === 429) return waiting('probes.server-error', `${what} answered ${status}`);
  if (status !== expected) {
    if (expected === 401) return fault('open', 'the API is open without its token');
    if (expected === 400) return fault('wrong-host-accepted', 'it answers under a name that is not its own');
    if (authorization === 'token') return fault('refused', 'the API refuses its own token');
    return fault('health', 'web is not healthy');
  }
  if (path === healthPath && status === 200 && asRecord(parseJson(body))['status'] !== 'ok') {
    return failed(
      'probes.health-body',
      `${what} answered ${status} without {"status":"ok"}: somebody else answers there.`,
    );
  }
  return ready({ via, request: `GET ${path}`, host, authorization, status });
}

function tokenText(authorization: ProbeRequest['authorization']): string {
  return { none: 'without a token', wrong: 'with a wrong token', token: 'with the token' }[authorization];
}
