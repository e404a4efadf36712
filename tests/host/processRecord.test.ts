import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ownProcess, type ProcessRecord, processLife, processStart } from '../../src/host/processRecord.js';

async function child() {
  const process = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(process, 'spawn');
  const pid = process.pid as number;
  const record: ProcessRecord = { ...(await ownProcess()), pid, start: (await processStart(pid)) ?? '' };
  return { process, record };
}

describe.runIf(process.platform === 'linux')('a process that was written down', () => {
  test('is alive while it runs', async () => {
    expect(await processLife(await ownProcess())).toBe('alive');
  });

  test('is dead once it was killed', async () => {
    const { process, record } = await child();
    expect(await processLife(record)).toBe('alive');
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect(await processLife(record)).toBe('dead');
  });

  test('is dead when its parent has not reaped it yet', async () => {
    // The shell becomes a program that waits for no child.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const record = { ...(await ownProcess()), pid, start: (await processStart(pid)) ?? '' };
    for (let i = 0; i < 100 && (await processStart(pid)) !== undefined; i++)
      await new Promise((r) => setTimeout(r, 20));
    const life = await processLife(record);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(life).toBe('dead');
  });

  const rows: readonly [string, Partial<ProcessRecord>, string][] = [
    ['dead when another process has its pid by now', { start: '1' }, 'dead'],
    ['unknown when it is of another machine, boot or container', { scope: 'f'.repeat(16) }, 'unknown'],
    ['unknown when nobody could say where it was', { scope: '0' }, 'unknown'],
  ];
  test.each(rows)('is %s', async (_, fields, life) => {
    expect(await processLife({ ...(await ownProcess()), ...fields })).toBe(life);
  });

  test('is written down without anything of the machine', async () => {
    expect((await ownProcess()).scope).toMatch(/^[0-9a-f]{16}$/);
  });
});
