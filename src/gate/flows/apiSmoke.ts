import { GateError } from '../../core/gateError.js';
import { ready, waiting } from '../../core/verdict.js';
import { webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import { answeredRequests, guardedRequests } from '../rules/apiSmoke.js';
import { judgeConsumers } from '../rules/smokeConsumers.js';
import { readApiToken } from './apiToken.js';
import { earlier } from './digests.js';
import { pollUntil } from './poll.js';
import { runSmokeTasks } from './smokeTasks.js';
import type { StepContext } from './stepContext.js';
import { openWebApi, type WebApi } from './webApi.js';

const everySeconds = 2;

/** Closed without the token, open with it, and a real task through each queue, its manager and Ray. */
export async function runApiSmoke(context: StepContext): Promise<Facts['api-smoke']> {
  const api = openWebApi(context.plan.webUrl);
  const unauthenticated: { request: string; status: number }[] = [];
  for (const { method, path } of guardedRequests) {
    const { status } = await answerOf(context, api, method, path, undefined);
    if (status !== 401) throw smokeError('open', `${method} ${path} without a token answered ${status}, not 401.`);
    unauthenticated.push({ request: `${method} ${path}`, status });
  }
  const token = await readApiToken(context.redactor, context);
  const authenticated: { request: string; status: number }[] = [];
  for (const { method, path } of answeredRequests) {
    const { status } = await answerOf(context, api, method, path, token);
    if (status !== 200) throw smokeError('refused', `${method} ${path} with the token answered ${status}, not 200.`);
    authenticated.push({ request: `${method} ${path}`, status });
  }
  const tasks = await runSmokeTasks(context, api, token);
  const stats = await answerOf(context, api, 'GET', '/api/executions/stats', token);
  const consumed = judgeConsumers(tasks, stats.body, await managerPods(context));
  if (consumed.kind === 'ready') return { unauthenticated, authenticated, tasks: consumed.facts };
  throw new GateError({ layer: 'api-smoke', code: consumed.code, message: consumed.detail });
}

async function managerPods(context: StepContext): Promise<ReadonlySet<string>> {
  const { deployments } = await earlier(context, 'app-convergence');
  const managers = deployments.filter((deployment) => deployment.name !== webDeploymentName);
  return new Set(managers.flatMap((deployment) => deployment.pods.map((pod) => pod.name)));
}

/** The answer to a request that may be repeated: none of these changes anything (the POST is refused). */
function answerOf(
  context: StepContext,
  api: WebApi,
  method: 'GET' | 'POST',
  path: string,
  token: string | undefined,
): Promise<{ readonly status: number; readonly body: string }> {
  return pollUntil(
    async () => {
      const answer = await api.call({ method, path, ...(token === undefined ? {} : { token }) });
      if (answer.kind === 'no-answer') return waiting('api-smoke.no-answer', answer.reason);
      const { status } = answer.response;
      return status >= 500
        ? waiting('api-smoke.server-error', `${method} ${path} answered ${status}`)
        : ready(answer.response);
    },
    { layer: 'api-smoke', deadline: context.deadline, everySeconds, progress: context.progress },
  );
}

function smokeError(code: string, message: string): GateError {
  return new GateError({ layer: 'api-smoke', code: `api-smoke.${code}`, message });
}
