import { failed, ready, type Verdict } from '../../core/verdict.js';
import { asList, asRecord, asText, parseJson } from '../model/json.js';
import type { ConsumedTask, SmokeTask } from '../model/smokeTask.js';

/**
 * Which pod ran each task, by the leases that the application lists: it must be a manager that was proven, and one that consumes
 * the task's queue.
 *
 * @param stats body of `GET /api/executions/stats`
 * @param managers names of the proven managers' pods; a manager's lease carries its host name, which is its pod's name
 */
export function judgeConsumers(
  tasks: readonly SmokeTask[],
  stats: string,
  managers: ReadonlySet<string>,
): Verdict<readonly ConsumedTask[]> {
  const leases = asList(asRecord(parseJson(stats))['workers']).map(asRecord);
  const consumed: ConsumedTask[] = [];
  for (const task of tasks) {
    const lease = leases.find((one) => task.worker !== '' && one['worker_id'] === task.worker);
    const what = `Task ${task.id} of queue ${task.queue}`;
    if (lease === undefined) {
      return failed(
        'api-smoke.consumer-unknown',
        `${what} was run by "${task.worker}", which holds no lease any more.`,
      );
    }
    const pod = asText(lease['hostname']);
    if (!managers.has(pod)) {
      return failed('api-smoke.consumer-foreign', `${what} was run by "${pod}", which is no proven manager's pod.`);
    }
    const queues = asList(lease['queues']).map(asText);
    if (!queues.includes(task.queue)) {
      return failed('api-smoke.consumer-queue', `${what} was run by ${pod}, which consumes [${queues.join(', ')}].`);
    }
    consumed.push({ ...task, pod });
  }
  return ready(consumed);
}
