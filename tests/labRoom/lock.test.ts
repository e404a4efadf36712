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
});
