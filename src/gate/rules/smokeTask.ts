import { oneLine } from '../../core/boundedText.js';
import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import { asCount, asList, asRecord, asText, parseJson } from '../model/json.js';
import type { SmokeTask } from '../model/smokeTask.js';

const endedBadly = new Set(['FAILED', 'CANCELLED', 'LOST', 'EXPIRED']);
const errorCharacters = 500;

export interface TaskExpectation {
  readonly taskId: string;
  readonly result: number;
  readonly queue: string;
  /** Whether the task must have gone through Ray: its row then names the cluster and the archive that it was sent to. */
  readonly onRay: boolean;
  readonly archiveUri: string;
}

/**
 * One look at a task's row: it succeeded with the right result, in its queue, out of this release's archive. `body` must have been
 * redacted: the execution's own error is cut here.
 */
export function judgeTask(status: number, body: string, expected: TaskExpectation): Verdict<SmokeTask> {
  const { taskId, queue } = expected;
  const task = `task ${taskId} of queue ${queue}`;
  const fault = (code: string, detail: string) => failed(`api-smoke.${code}`, `${detail}.`);
  if (status >= 500 || status === 429)
    return waiting('api-smoke.server-error', `${task}: its row was answered ${status}`);
  if (status !== 200) return fault('executions-status', `GET /api/executions for ${task} answered ${status}, not 200`);
  const tasks = asRecord(parseJson(body))['tasks'];
  if (!Array.isArray(tasks)) return fault('executions-body', `GET /api/executions for ${task} gave no list of tasks`);
  const row = asList(tasks)
    .map(asRecord)
    .find((one) => one['task_id'] === taskId);
  if (row === undefined) return waiting('api-smoke.task-missing', `${task} has no row yet`);
  const state = asText(row['state']);
  const error = oneLine(asText(row['error']), errorCharacters);
  if (endedBadly.has(state)) return fault('task-failed', `The ${task} ended ${state}: ${error || 'no error text'}`);
  if (state !== 'SUCCEEDED') {
    // A retry keeps the last attempt's error: it says why the task is not done.
    const why = error === '' ? '' : ` (attempt ${asCount(row['attempt'])}: ${error})`;
    return waiting('api-smoke.task-running', `${task} is ${state}${why}`);
  }
  const text = row['result_data'];
  if (typeof text !== 'string' || parseJson(text) !== expected.result) {
    const shown = oneLine(JSON.stringify(text) ?? 'nothing', 100);
    return fault('task-result', `The ${task} succeeded with ${shown}, not ${expected.result}`);
  }
  if (row['queue'] !== queue) return fault('task-queue', `The ${task} ran in queue "${asText(row['queue'])}"`);
  const rayAddress = asText(row['ray_address']);
  if (expected.onRay && !rayAddress.startsWith('ray://')) {
    return fault('not-on-ray', `The ${task} did not run on Ray (its address is "${rayAddress}")`);
  }
  const workingDir = asText(row['working_dir']);
  if (expected.onRay && workingDir !== expected.archiveUri) {
    return fault('archive', `The ${task} ran from "${workingDir}", not from ${expected.archiveUri}`);
  }
  const { result } = expected;
  const [worker, attempt] = [asText(row['worker']), asCount(row['attempt'])];
  return ready({ id: taskId, queue, state, result, worker, rayAddress, workingDir, attempt });
}
