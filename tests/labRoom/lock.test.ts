import { describe, expect, it } from 'vitest';
import { withLabLock } from '../../src/lab/lock.js';

const folder = `/nowhere/${process.pid}`;

describe("the lab's lock", () => {
  it('refuses a second holder and names the first', async () => {
    await withLabLock(folder, 'raygate lab up', async () => {
      await expect(withLabLock(folder, 'raygate lab down', async () => 'never')).rejects.toMatchObject({
        layer: 'lab',
        code: 'lab.busy',
        message: `another command is changing the lab: 'raygate lab up', pid ${process.pid}; wait for it to end, then try again`,
      });
    });
  });

  it('is free again after work that failed', async () => {
    await expect(withLabLock(folder, 'a', () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(await withLabLock(folder, 'b', async () => 'done')).toBe('done');
  });

  it('can be waited for, and says for whom', async () => {
    const order: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = withLabLock(folder, 'first', () => held.then(() => void order.push('first')));
    const second = withLabLock(folder, 'second', async () => void order.push('second'), {
      onWait: (holder) => {
        order.push(`waits for ${holder}`);
        release();
      },
    });
    await Promise.all([first, second]);
    expect(order).toEqual([`waits for 'first', pid ${process.pid}`, 'first', 'second']);
  });
});
