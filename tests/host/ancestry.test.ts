import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, parentOf, watchAncestors } from '../../src/host/ancestry.js';

describe.skipIf(process.platform !== 'linux')('the processes that one hangs on', () => {
  test('begin with its parent', async () => {
    expect((await ancestorsOf(process.pid))[0]).toBe(process.ppid);
    expect(await parentOf(process.pid)).toBe(process.ppid);
  });

  test('of a process that does not live are none', async () => {
    expect(await parentOf(2 ** 30)).toBeUndefined();
    expect(await ancestorsOf(2 ** 30)).toEqual([]);
  });

  test('are missed when one of them is killed, and not before', async () => {
    const inner = 'setInterval(() => {}, 1000)';
    const outer = `const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true }); console.log(c.pid); ${inner}`;
    const parent = spawn(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(line.toString());
    try {
      let orphaned = 0;
      const end = watchAncestors(1, () => orphaned++, child);
      await pause(1_300);
      expect(orphaned).toBe(0);
      parent.kill('SIGKILL');
      for (let i = 0; i < 60 && orphaned === 0; i++) await pause(50);
      expect(orphaned).toBe(1);
      end();
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });
});
