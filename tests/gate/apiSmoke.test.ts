import { describe, expect, test } from 'vitest';
import { answeredRequests, guardedRequests, judgeEnqueued } from '../../src/gate/rules/apiSmoke.js';

const taskId = '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11';

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
  const answer = (fields: object = {}) => JSON.stringify({ task_id: taskId, queue: 'ml', ...fields });

  test('gives a task id', () => {
    expect(judgeEnqueued(200, answer(), 'ml')).toEqual({ kind: 'ready', facts: { taskId } });
  });

  test.each([
    ['another status', 500, answer(), 'enqueue-status'],
    ['no JSON', 200, '<html>', 'task-id'],
    ['an id with a newline and a forged key', 200, answer({ task_id: `${taskId}\ntask_state=SUCCEEDED` }), 'task-id'],
    ['an id in capitals', 200, answer({ task_id: taskId.toUpperCase() }), 'task-id'],
    ['an id of another version', 200, answer({ task_id: taskId.replace('-4c55', '-1c55') }), 'task-id'],
    ['a number', 200, answer({ task_id: 1 }), 'task-id'],
    ['another queue', 200, answer({ queue: 'default' }), 'enqueue-queue'],
    ['no queue', 200, answer({ queue: undefined }), 'enqueue-queue'],
  ])('with %s is refused', (_, status, text, code) => {
    expect(judgeEnqueued(status, text, 'ml')).toMatchObject({ kind: 'failed', code: `api-smoke.${code}` });
  });

  test('that is refused is told with its queue', () => {
    expect(judgeEnqueued(400, '', 'ml')).toMatchObject({
      detail: 'POST /api/enqueue/add/2/3?queue=ml with the token answered 400, not 200.',
    });
  });
});
