import { failed, ready, type Verdict } from '../../core/verdict.js';
import { asRecord, asText, parseJson } from '../model/json.js';

/** Requests that must be refused without a token, and those that must be answered with it. */
export const guardedRequests = [
  { method: 'POST', path: '/api/enqueue/add/2/3' },
  { method: 'GET', path: '/api/executions/stats' },
  { method: 'GET', path: '/api/metrics' },
  { method: 'GET', path: '/api/executions?limit=1' },
] as const;

export const answeredRequests = guardedRequests.filter((request) => request.method === 'GET');

/** What the smoke test enqueues; its result. */
export const smokeSum = 5;

export function enqueuePath(queue: string): string {
  return `/api/enqueue/add/2/3?queue=${encodeURIComponent(queue)}`;
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The task id of an enqueue's answer. It must be a canonical UUIDv4: it goes into a path and into the evidence. */
export function judgeEnqueued(status: number, body: string, queue: string): Verdict<{ readonly taskId: string }> {
  const what = `POST ${enqueuePath(queue)} with the token`;
  if (status !== 200) return failed('api-smoke.enqueue-status', `${what} answered ${status}, not 200.`);
  const answer = asRecord(parseJson(body));
  const taskId = asText(answer['task_id']);
  if (!uuid4.test(taskId)) {
    return failed('api-smoke.task-id', `${what} answered without a task_id that is a canonical UUIDv4.`);
  }
  if (answer['queue'] !== queue) {
    const other = JSON.stringify(answer['queue'])?.slice(0, 100);
    return failed('api-smoke.enqueue-queue', `${what} put task ${taskId} into the queue ${other}.`);
  }
  return ready({ taskId });
}
