import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import { asCount, asList, asRecord, asText } from '../model/json.js';
import type { TaskFacts } from '../model/observation.js';

/** Requests that must be refused without a token, and those that must be answered with it. */
export const guardedRequests = [
  { method: 'POST', path: '/api/enqueue/add/2/3' },
  { method: 'GET', path: '/api/executions/stats' },
  { method: 'GET', path: '/api/metrics' },
  { method: 'GET', path: '/api/executions?limit=1' },
] as const;

export const answeredRequests = guardedRequests.filter((request) => request.method === 'GET');

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const endedBadly = new Set(['FAILED', 'CANCELLED', 'LOST', 'EXPIRED']);

/** The task id of an enqueue's answer. It must be a canonical UUIDv4: it goes into a path and into the evidence. */
export function judgeEnqueued(status: number, body: string): Verdict<{ readonly taskId: string }> {
  if (status !== 200)
    return failed('api-smoke.enqueue-status', `POST /api/enqueue/add/2/3 with the token answered ${status}, not 200.`);
  const answer = parse(body);
  const taskId = asRecord(answer)['task_id'];
  if (typeof taskId !== 'string' || !uuid4.test(taskId)) {
    return failed('api-smoke.task-id', 'The enqueue answered without a task_id that is a canonical UUIDv4.');
  }
  return ready({ taskId });
}

export interface TaskExpectation {
  readonly taskId: string;
  readonly result: number;
  readonly queue: string;
  /** Whether the task must have gone through Ray: its row then names the cluster that it was sent to. */
  readonly onRay: boolean;
  readonly archiveUri: string;
}

/** One look at a task's row: it succeeded with the right result, on Ray, out of this release's archive. */
export function judgeTask(status: number, body: string, expected: TaskExpectation): Verdict<TaskFacts> {
  const { taskId } = expected;
  if (status !== 200)
    return failed('api-smoke.executions-status', `GET /api/executions for task ${taskId} answered ${status}, not 200.`);
  const tasks = asRecord(parse(body))['tasks'];
  if (!Array.isArray(tasks))
    return failed('api-smoke.executions-body', `GET /api/executions for task ${taskId} gave no list of tasks.`);
  const row = asList(tasks)
    .map(asRecord)
    .find((task) => task['task_id'] === taskId);
  if (row === undefined) return waiting('api-smoke.task-missing', `task ${taskId} has no row yet`);
  const state = asText(row['state']);
  if (endedBadly.has(state)) {
    return failed(
      'api-smoke.task-failed',
      `Task ${taskId} ended ${state}: ${asText(row['error']).slice(0, 500) || 'no error text'}.`,
    );
  }
  if (state !== 'SUCCEEDED') return waiting('api-smoke.task-running', `task ${taskId} is ${state}`);
  const result = typeof row['result_data'] === 'string' ? parse(row['result_data']) : undefined;
  if (result !== expected.result) {
    return failed(
      'api-smoke.task-result',
      `Task ${taskId} succeeded with ${JSON.stringify(row['result_data'])}, not ${expected.result}.`,
    );
  }
  if (asText(row['queue']) !== expected.queue) {
    return failed(
      'api-smoke.task-queue',
      `Task ${taskId} ran in queue "${asText(row['queue'])}", not ${expected.queue}.`,
    );
  }
  const rayAddress = asText(row['ray_address']);
  if (expected.onRay && !rayAddress.startsWith('ray://')) {
    return failed('api-smoke.not-on-ray', `Task ${taskId} did not run on Ray (its address is "${rayAddress}").`);
  }
  const workingDir = asText(row['working_dir']);
  if (expected.onRay && workingDir !== expected.archiveUri) {
    return failed('api-smoke.archive', `Task ${taskId} ran from "${workingDir}", not from ${expected.archiveUri}.`);
  }
  const [worker, attempt] = [asText(row['worker']), asCount(row['attempt'])];
  return ready({
    id: taskId,
    queue: expected.queue,
    state,
    result: expected.result,
    worker,
    rayAddress,
    workingDir,
    attempt,
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
