import { GateError } from '../../core/gateError.js';
import { allReady, type Verdict, waiting } from '../../core/verdict.js';
import { type SmokeTask, smokeQueues } from '../model/smokeTask.js';
import { enqueuePath, judgeEnqueued, smokeSum } from '../rules/apiSmoke.js';
import { judgeTask, type TaskExpectation } from '../rules/smokeTask.js';
import { pollUntil } from './poll.js';
import { ownDeadline, type StepContext } from './stepContext.js';
import type { WebApi } from './webApi.js';

/** A warm task takes 0.1 to 0.2 s. */
const firstSeconds = 0.25;
const everySeconds = 2;

/**
 * One task to each queue, all at once, and their results. Ends at once with the cause of the first that fails; on the deadline with
 * what each is still waiting for.
 */
export async function runSmokeTasks(context: StepContext, api: WebApi, token: string): Promise<readonly SmokeTask[]> {
  const tasks = await Promise.all(smokeQueues.map((queue) => enqueue(context, api, token, queue)));
  const ended = new Map<string, Verdict<SmokeTask>>();
  const look = async (task: TaskExpectation): Promise<Verdict<SmokeTask>> => {
    const before = ended.get(task.taskId);
    if (before !== undefined) return before;
    const answer = await api.call({ method: 'GET', path: `/api/executions?task_id=${task.taskId}&limit=1`, token });
    if (answer.kind === 'no-answer') return waiting('api-smoke.no-answer', answer.reason);
    const { status, body } = answer.response;
    const verdict = judgeTask(status, context.redactor.clean(body), task);
    if (verdict.kind === 'ready') ended.set(task.taskId, verdict);
    return verdict;
  };
  return pollUntil(async () => allReady(await Promise.all(tasks.map(look))), {
    layer: 'api-smoke',
    deadline: ownDeadline(context),
    firstSeconds,
    everySeconds,
    progress: context.progress,
  });
}

/** Not repeated when no answer comes: it may have been carried out. */
async function enqueue(
  context: StepContext,
  api: WebApi,
  token: string,
  { queue, onRay }: (typeof smokeQueues)[number],
): Promise<TaskExpectation> {
  const answer = await api.call({ method: 'POST', path: enqueuePath(queue), token });
  if (answer.kind === 'no-answer') {
    const message = `The enqueue to queue ${queue} got no answer: ${answer.reason}.`;
    throw new GateError({ layer: 'api-smoke', code: 'api-smoke.no-answer', message, retryable: true });
  }
  const task = judgeEnqueued(answer.response.status, answer.response.body, queue);
  if (task.kind !== 'ready') throw new GateError({ layer: 'api-smoke', code: task.code, message: task.detail });
  const { archiveUri } = context.plan.release;
  return { taskId: task.facts.taskId, result: smokeSum, queue, onRay, archiveUri };
}
