import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { identify, isAlive, signal } from '../../src/lab/process/processTable.js';

describe('a recorded process', () => {
  it('is alive while it runs, and not after', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const record = identify(child.pid ?? 0);
    expect(record && isAlive(record)).toBe(true);
    expect(record && signal(record, 'SIGKILL')).toBe(true);
    await once(child, 'exit');
    expect(record && isAlive(record)).toBe(false);
  });

  it('is not alive when another process has its pid, and gets no signal then', () => {
    const own = identify(process.pid);
    expect(own).toBeDefined();
    if (!own) return;
    expect(isAlive({ ...own, startTicks: '1' })).toBe(false);
    expect(signal({ ...own, startTicks: '1' }, 'SIGKILL')).toBe(false);
  });

  it('is not alive after a reboot', () => {
    const own = identify(process.pid);
    expect(own && isAlive({ ...own, bootId: 'another' })).toBe(false);
  });
});
