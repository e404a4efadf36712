import { GateError } from '../../core/gateError.js';
import { ready, waiting } from '../../core/verdict.js';
import type { Facts } from '../model/observation.js';
import { answeredRequests, guardedRequests, judgeEnqueued, judgeTask } from '../rules/apiSmoke.js';
import { readApiToken } from './apiToken.js';
import { pollUntil } from './poll.js';
import type { StepContext } from './stepContext.js';
import { openWebApi, type WebAnswer, type WebApi } from './webApi.js';

const everySeconds = 2;
/** Queue of the task that must go through Ray. */
const rayQueue = 'default';

/** Closed without the token, open with it, and a real task through queue, manager and Ray. */
export async function runApiSmoke(context: StepContext): Promise<Facts['api-smoke']> {
  const api = openWebApi(context.plan.webUrl);
  const unauthenticated: { request: string; status: number }[] = [];
  for (const { method, path } of guardedRequests) {
    const status = await answeredStatus(context, api, method, path, undefined);
    if (status !== 401) throw smokeError('open', `${method} ${path} without a token answered ${status}, not 401.`);
    unauthenticated.push({ request: `${method} ${path}`, status });
  }
  const token = await readApiToken(context.redactor, context);
  const authenticated: { request: string; status: number }[] = [];
  for (const { method, path } of answeredRequests) {
    const status = await answeredStatus(context, api, method, path, token);
    if (status !== 200) throw smokeError('refused', `${method} ${path} with the token answered ${status}, not 200.`);
    authenticated.push({ request: `${method} ${path}`, status });
  }
  return { unauthenticated, authenticated, task: await runTask(context, api, token) };
}

async function runTask(context: StepContext, api: WebApi, token: string): Promise<Facts['api-smoke']['task']> {
  // Not repeated when no answer comes: it may have been carried out.
  const enqueued = answered(await api.call({ method: 'POST', path: '/api/enqueue/add/2/3', token }));
  const task = judgeEnqueued(enqueued.status, enqueued.body);
  if (task.kind !== 'ready') throw new GateError({ layer: 'api-smoke', code: task.code, message: task.detail });
  const { taskId } = task.facts;
  const expected = { taskId, result: 5, queue: rayQueue, onRay: true, archiveUri: context.plan.release.archiveUri };
  return pollUntil(
    async () => {
      const answer = await api.call({ method: 'GET', path: `/api/executions?task_id=${taskId}&limit=1`, token });
      if (answer.kind === 'no-answer') return waiting('api-smoke.no-answer', answer.reason);
      return judgeTask(answer.response.status, answer.response.body, expected);
    },
    { layer: 'api-smoke', deadline: context.deadline, everySeconds, progress: context.progress },
  );
}

/** The status of a request that may be repeated: none of these changes anything (the POST is refused). */
function answeredStatus(
  context: StepContext,
  api: WebApi,
  method: 'GET' | 'POST',
  path: string,
  token: string | undefined,
): Promise<number> {
  return pollUntil(
    async () => {
      const answer = await api.call({ method, path, ...(token === undefined ? {} : { token }) });
      if (answer.kind === 'no-answer') return waiting('api-smoke.no-answer', answer.reason);
      const { status } = answer.response;
      return status >= 500 ? waiting('api-smoke.server-error', `${method} ${path} answered ${status}`) : ready(status);
    },
    { layer: 'api-smoke', deadline: context.deadline, everySeconds, progress: context.progress },
  );
}

function answered(answer: WebAnswer) {
  if (answer.kind === 'answer') return answer.response;
  throw smokeError('no-answer', `The enqueue got no answer: ${answer.reason}.`, true);
}

function smokeError(code: string, message: string, retryable = false): GateError {
  return new GateError({ layer: 'api-smoke', code: `api-smoke.${code}`, message, retryable });
}
