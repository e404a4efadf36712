import { describe, expect, it } from 'vitest';
import { deadlineIn } from '../../src/core/deadline.js';
import { failed, ready, type Verdict, waiting } from '../../src/core/verdict.js';
import { pollUntil } from '../../src/gate/flows/poll.js';

const poll = (verdict: Verdict<string>) =>
  pollUntil(async () => verdict, { layer: 'api-smoke', deadline: deadlineIn(0.05), everySeconds: 0.01 });

describe('what is looked at again and again', () => {
  it('ends with its facts', async () => {
    expect(await poll(ready('x'))).toBe('x');
  });

  const rows: readonly [string, Verdict<string>, object][] = [
    ['at once for good', failed('api-smoke.x', 'x'), { message: 'x', retryable: false, timedOut: false }],
    [
      'on the deadline, with what it waited for',
      waiting('api-smoke.task-running', 'x'),
      { message: 'After 0.05 s still waiting: x', retryable: true, timedOut: true },
    ],
    [
      'on the deadline without an answer, which may come yet',
      waiting('api-smoke.no-answer', 'x'),
      { message: 'After 0.05 s still waiting: x', retryable: true, timedOut: false },
    ],
  ];
  it.each(rows)('fails %s', async (_name, verdict, error) => {
    await expect(poll(verdict)).rejects.toMatchObject(error);
  });
});
