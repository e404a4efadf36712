import { type Verdict, waiting } from '../../core/verdict.js';
import type { RayConverged } from '../model/identities.js';
import { asText, at } from '../model/json.js';
import type { Facts } from '../model/observation.js';
import { readScalar, readTargets, readVector } from '../model/prometheus.js';
import { judgePrometheusAnswer } from '../rules/prometheusAnswer.js';
import { judgeTargets, type TargetExpectation } from '../rules/prometheusTargets.js';
import { readApiToken } from './apiToken.js';
import { pollUntil } from './poll.js';
import { sameRay } from './rayIdentity.js';
import { ownDeadline, type StepContext } from './stepContext.js';
import { openWebApi } from './webApi.js';

/** Prometheus cannot be watched: it is asked again after ever longer pauses. A scrape comes every 15 s. */
const firstSeconds = 1;
const everySeconds = 5;
/** A target's last error can be long. */
const bodyLimitBytes = 1_048_576;
const workerPort = 8080;
/** With a deadline of 0 there is one look, which cannot wait for the next scrape: one of the last four must do. */
const lookBackMs = 60_000;

type Ask = <T>(path: string, read: (data: unknown) => T | undefined) => Promise<Verdict<T>>;

/** Prometheus scrapes this run's Ray and web, and nothing that was removed; Ray is the same before and after. */
export async function runPrometheus(context: StepContext): Promise<Facts['prometheus']> {
  // The targets' errors are other people's text: what could stand in them must be known to the redactor.
  await readApiToken(context.redactor, context);
  const ray = await sameRay(context);
  const ask = asking(context);
  const deadline = ownDeadline(context);
  const until = <T>(look: () => Promise<Verdict<T>>) =>
    pollUntil(look, { layer: 'prometheus', deadline, firstSeconds, everySeconds, progress: context.progress });
  // Prometheus's own clock, since that is what it notes its scrapes by.
  const startedMs = 1000 * (await until(() => ask('/api/v1/query?query=time()', readScalar)));
  const version = await until(() =>
    ask('/api/v1/status/buildinfo', (data) => asText(at(data, 'version')) || undefined),
  );
  const sinceMs = deadline.limitSeconds === 0 ? startedMs - lookBackMs : startedMs;
  const facts = await until(() => look(ask, expectation(ray, sinceMs)));
  await sameRay(context);
  return { version, sinceMs, ...facts };
}

async function look(ask: Ask, expected: TargetExpectation) {
  const [loaded, targets, up] = await Promise.all([
    ask('/api/v1/status/runtimeinfo', readReload),
    ask('/api/v1/targets?state=active', readTargets),
    ask('/api/v1/query?query=up', readVector),
  ]);
  for (const verdict of [loaded, targets, up]) if (verdict.kind === 'failed') return verdict;
  if (loaded.kind !== 'ready') return loaded;
  if (loaded.facts === 'failed') return configurationRefused;
  if (targets.kind !== 'ready') return targets;
  return up.kind === 'ready' ? judgeTargets(targets.facts, up.facts, expected) : up;
}

const configurationRefused = {
  kind: 'failed',
  code: 'prometheus.config-reload',
  detail: 'Prometheus refused its configuration at the last reload, and scrapes by an older one: its log says why.',
} as const;

function readReload(data: unknown): 'loaded' | 'failed' | undefined {
  const success = at(data, 'reloadConfigSuccess');
  return typeof success === 'boolean' ? (success ? 'loaded' : 'failed') : undefined;
}

function expectation({ pods, heads }: RayConverged, sinceMs: number): TargetExpectation {
  const workers = pods.filter((pod) => pod.role !== 'head').map(({ name, uid, ip }) => ({ name, uid, ip }));
  return { heads, workers, workerPort, sinceMs };
}

function asking({ plan, redactor }: StepContext): Ask {
  const api = openWebApi(plan.prometheusUrl, { bodyLimitBytes });
  return async (path, read) => {
    const answer = await api.call({ method: 'GET', path, accept: 'application/json' });
    if (answer.kind === 'no-answer') return waiting('prometheus.no-answer', answer.reason);
    return judgePrometheusAnswer(path, answer.response.status, redactor.clean(answer.response.body), read);
  };
}
