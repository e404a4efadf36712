import { describe, expect, test } from 'vitest';
import { judgeConsumers } from '../../src/gate/rules/smokeConsumers.js';
import { judgeTask } from '../../src/gate/rules/smokeTask.js';
import { smokeTask, taskId, taskRow } from '../builders/smokeTask.js';
import { archiveUri } from '../builders/step.js';

const expected = { taskId, result: 5, queue: 'default', onRay: true, archiveUri };
const body = (...tasks: readonly object[]) => JSON.stringify({ tasks });
const code = (result: ReturnType<typeof judgeTask>) =>
  result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`;

describe('a task', () => {
  test('that succeeded on Ray with 5, out of our archive, is proven', () => {
    expect(judgeTask(200, body(taskRow()), expected)).toEqual({ kind: 'ready', facts: smokeTask() });
  });

  test.each([
    ['no row yet', body(), 'waiting api-smoke.task-missing'],
    ["another task's row only", body(taskRow({ task_id: 'x' })), 'waiting api-smoke.task-missing'],
    ['QUEUED', body(taskRow({ state: 'QUEUED' })), 'waiting api-smoke.task-running'],
    ['RUNNING', body(taskRow({ state: 'RUNNING' })), 'waiting api-smoke.task-running'],
    ['FAILED', body(taskRow({ state: 'FAILED', error: 'boom' })), 'failed api-smoke.task-failed'],
    ['CANCELLED', body(taskRow({ state: 'CANCELLED' })), 'failed api-smoke.task-failed'],
    ['LOST', body(taskRow({ state: 'LOST' })), 'failed api-smoke.task-failed'],
    ['EXPIRED', body(taskRow({ state: 'EXPIRED' })), 'failed api-smoke.task-failed'],
    ['the result 6', body(taskRow({ result_data: '6' })), 'failed api-smoke.task-result'],
    ['a result that is a number, not JSON text', body(taskRow({ result_data: 5 })), 'failed api-smoke.task-result'],
    ['no result', body(taskRow({ result_data: undefined })), 'failed api-smoke.task-result'],
    ['the text "5" in the JSON', body(taskRow({ result_data: '"5"' })), 'failed api-smoke.task-result'],
    ['another queue', body(taskRow({ queue: 'sync' })), 'failed api-smoke.task-queue'],
    ['no Ray address', body(taskRow({ ray_address: null })), 'failed api-smoke.not-on-ray'],
    ['another archive', body(taskRow({ working_dir: 'file:///runtime-env/old.zip' })), 'failed api-smoke.archive'],
    ['a body that is no list', '{"tasks":{}}', 'failed api-smoke.executions-body'],
    ['a body that is no JSON', '<html>', 'failed api-smoke.executions-body'],
  ])('with %s is %s', (_, text, verdict) => {
    expect(code(judgeTask(200, text, expected))).toBe(verdict);
  });

  test.each([
    [503, 'waiting api-smoke.server-error'],
    [429, 'waiting api-smoke.server-error'],
    [404, 'failed api-smoke.executions-status'],
    [302, 'failed api-smoke.executions-status'],
  ])('whose row is answered with %s is %s', (status, verdict) => {
    expect(code(judgeTask(status, body(taskRow()), expected))).toBe(verdict);
  });

  test('of a manager without Ray needs neither address nor archive', () => {
    const row = taskRow({ queue: 'sync', ray_address: null, working_dir: null });
    const verdict = judgeTask(200, body(row), { ...expected, queue: 'sync', onRay: false });
    expect(verdict).toEqual({ kind: 'ready', facts: smokeTask({ queue: 'sync', rayAddress: '', workingDir: '' }) });
  });

  test("that failed says the execution's own error, in one line and not all of it", () => {
    const row = taskRow({ state: 'FAILED', error: `Traceback\n  ValueError: ${'x'.repeat(3000)}` });
    const verdict = judgeTask(200, body(row), expected);
    const start = `The task ${taskId} of queue default ended FAILED: Traceback ValueError: xxx`;
    expect(verdict).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(new RegExp(`^${start}x{400,500}….$`)),
    });
  });

  test('that is tried again says why the last attempt failed', () => {
    const row = taskRow({ state: 'QUEUED', error: 'Ray Core execution transport failed', attempt: 2 });
    expect(judgeTask(200, body(row), expected)).toEqual({
      kind: 'waiting',
      code: 'api-smoke.task-running',
      detail: `task ${taskId} of queue default is QUEUED (attempt 2: Ray Core execution transport failed)`,
    });
  });
});

describe('who ran a task', () => {
  const lease = (fields: object = {}) => ({
    worker_id: 'lease-1',
    hostname: 'manager-1',
    queues: ['default'],
    ...fields,
  });
  const judge = (workers: unknown, task = smokeTask()) =>
    judgeConsumers([task], JSON.stringify({ workers }), new Set(['manager-1', 'manager-2']));

  test('is the manager of its queue that was proven', () => {
    expect(judge([lease({ worker_id: 'other', hostname: 'x' }), lease()])).toEqual({
      kind: 'ready',
      facts: [{ ...smokeTask(), pod: 'manager-1' }],
    });
  });

  test.each([
    ['nobody holds that lease', [lease({ worker_id: 'other' })], 'consumer-unknown'],
    ['the application lists no leases', undefined, 'consumer-unknown'],
    ['the lease is of a pod that was not proven', [lease({ hostname: 'stray' })], 'consumer-foreign'],
    ['the pod consumes other queues', [lease({ queues: ['ml'] })], 'consumer-queue'],
  ])('is refused when %s', (_, workers, reason) => {
    expect(judge(workers)).toMatchObject({ kind: 'failed', code: `api-smoke.${reason}` });
  });

  test('is refused when the row names nobody', () => {
    expect(judge([lease({ worker_id: '' })], smokeTask({ worker: '' }))).toMatchObject({
      code: 'api-smoke.consumer-unknown',
    });
  });
});
