import { describe, expect, test } from 'vitest';
import { answeredRequests, guardedRequests, judgeEnqueued, judgeTask } from '../../src/gate/rules/apiSmoke.js';

const taskId = '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11';
const archiveUri = 'file:///runtime-env/a.zip';
const expected = { taskId, result: 5, queue: 'default', onRay: true, archiveUri };

const row = (fields: object = {}) => ({
  task_id: taskId,
  state: 'SUCCEEDED',
  queue: 'default',
  result_data: '5',
  worker: 'manager-1',
  ray_address: 'ray://ray-head-svc:10001',
  working_dir: archiveUri,
  attempt: 1,
  ...fields,
});
const body = (...tasks: readonly object[]) => JSON.stringify({ tasks });

describe('the requests of the smoke test', () => {
  test('four are refused without a token, and the three that change nothing are answered with it', () => {
    expect(guardedRequests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/enqueue/add/2/3',
      'GET /api/executions/stats',
      'GET /api/metrics',
      'GET /api/executions?limit=1',
    ]);
    expect(answeredRequests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('an enqueue', () => {
  test('gives a task id', () => {
    expect(judgeEnqueued(200, JSON.stringify({ task_id: taskId }))).toEqual({ kind: 'ready', facts: { taskId } });
  });

  test.each([
    ['another status', 500, JSON.stringify({ task_id: taskId }), 'enqueue-status'],
    ['no JSON', 200, '<html>', 'task-id'],
    [
      'an id with a newline and a forged key',
      200,
      JSON.stringify({ task_id: `${taskId}\ntask_state=SUCCEEDED` }),
      'task-id',
    ],
    ['an id in capitals', 200, JSON.stringify({ task_id: taskId.toUpperCase() }), 'task-id'],
    ['an id of another version', 200, JSON.stringify({ task_id: taskId.replace('-4c55', '-1c55') }), 'task-id'],
    ['a number', 200, '{"task_id":1}', 'task-id'],
  ])('with %s is refused', (_, status, text, code) => {
    expect(judgeEnqueued(status, text)).toMatchObject({ kind: 'failed', code: `api-smoke.${code}` });
  });
});

describe('a task', () => {
  test('that succeeded on Ray with 5, out of our archive, is proven', () => {
    expect(judgeTask(200, body(row()), expected)).toEqual({
      kind: 'ready',
      facts: {
        id: taskId,
        queue: 'default',
        state: 'SUCCEEDED',
        result: 5,
        worker: 'manager-1',
        rayAddress: 'ray://ray-head-svc:10001',
        workingDir: archiveUri,
        attempt: 1,
      },
    });
  });

  test.each([
    ['no row yet', body(), 'waiting api-smoke.task-missing'],
    ["another task's row only", body(row({ task_id: 'x' })), 'waiting api-smoke.task-missing'],
    ['QUEUED', body(row({ state: 'QUEUED' })), 'waiting api-smoke.task-running'],
    ['RUNNING', body(row({ state: 'RUNNING' })), 'waiting api-smoke.task-running'],
    ['FAILED', body(row({ state: 'FAILED', error: 'boom' })), 'failed api-smoke.task-failed'],
    ['CANCELLED', body(row({ state: 'CANCELLED' })), 'failed api-smoke.task-failed'],
    ['LOST', body(row({ state: 'LOST' })), 'failed api-smoke.task-failed'],
    ['EXPIRED', body(row({ state: 'EXPIRED' })), 'failed api-smoke.task-failed'],
    ['the result 6', body(row({ result_data: '6' })), 'failed api-smoke.task-result'],
    ['a result that is a number, not JSON text', body(row({ result_data: 5 })), 'failed api-smoke.task-result'],
    ['the text "5" in the JSON', body(row({ result_data: '"5"' })), 'failed api-smoke.task-result'],
    ['another queue', body(row({ queue: 'sync' })), 'failed api-smoke.task-queue'],
    ['no Ray address', body(row({ ray_address: null })), 'failed api-smoke.not-on-ray'],
    ['another archive', body(row({ working_dir: 'file:///runtime-env/old.zip' })), 'failed api-smoke.archive'],
    ['a body that is no list', '{"tasks":{}}', 'failed api-smoke.executions-body'],
    ['a body that is no JSON', '<html>', 'failed api-smoke.executions-body'],
  ])('with %s is %s', (_, text, verdict) => {
    const result = judgeTask(200, text, expected);
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('whose list answers anything but 200 is refused', () => {
    expect(judgeTask(503, '', expected)).toMatchObject({ kind: 'failed', code: 'api-smoke.executions-status' });
  });
});
