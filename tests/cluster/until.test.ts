import { expect, it } from 'vitest';
import { waitUntil } from '../../src/cluster/until.js';
import { createView } from '../../src/cluster/view.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { waiting } from '../../src/core/verdict.js';

/** A store in which nothing ever happens. */
const stillStore = {
  view: () => createView(new Map()),
  onChange: () => () => undefined,
  confirm: async () => undefined,
  closed: new AbortController().signal,
  printable: (text: string) => text,
};

it('does not sleep past a deadline whose clock is behind the timer', async () => {
  // A timer may fire a little early; here, much.
  const slowClock = { now: () => performance.now() / 2 };
  const wait = waitUntil(stillStore, () => waiting('test.x', 'x'), {
    deadline: deadlineIn(0.1, slowClock),
    layer: 'workloads',
  });
  await expect(wait).rejects.toMatchObject({ code: 'test.x', message: 'not within 0.1 s; still waiting: x' });
});

it.each([
  ['at what it saw, when its time is up', 'ray.missing-pods', true],
  ['blind, when its time is up: the API server may be back', 'watch.unreadable', false],
])('ends %s', async (_name, code, timedOut) => {
  const wait = waitUntil(stillStore, () => waiting(code, 'x'), { deadline: deadlineIn(0.05), layer: 'ray' });
  await expect(wait).rejects.toMatchObject({ code, retryable: true, timedOut });
});

it('judges once, and not again, when nothing happens before the deadline', async () => {
  let judged = 0;
  const judge = () => {
    judged++;
    return waiting('test.x', 'x');
  };
  await expect(waitUntil(stillStore, judge, { deadline: deadlineIn(0.1), layer: 'ray' })).rejects.toMatchObject({
    layer: 'ray',
  });
  expect(judged).toBeLessThanOrEqual(3);
});
