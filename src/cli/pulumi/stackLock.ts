import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@pulumi/pulumi/automation/index.js';
import { GateError } from '../../core/gateError.js';
import type { PulumiHome } from './home.js';

/** What the file backend (Pulumi 3.215) writes of whoever updates a stack. */
interface LockHolder {
  readonly pid: number;
  readonly hostname: string;
  readonly timestamp: string;
}

/**
 * Takes away the lock that a killed update left on a stack of raygate's own backend; returns whether there was one.
 * @throws GateError `start.locked`, naming the holder, when it lives, or when it is on another machine and cannot be looked at.
 */
export async function releaseDeadLock(stack: Stack, home: PulumiHome): Promise<boolean> {
  const folder = join(home.folder, 'backend', '.pulumi', 'locks', 'organization', 'raygate', stack.name);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  if (names.length === 0) return false;
  const holders = await Promise.all(names.map((name) => readHolder(join(folder, name))));
  const living = holders.find((holder) => holder !== undefined && mayLive(holder));
  if (living) {
    throw new GateError({
      layer: 'apply',
      code: 'start.locked',
      message: `another update of stack ${stack.name} is under way, pid ${living.pid} on ${living.hostname} since ${living.timestamp}: wait for it to end, then try again`,
      retryable: true,
    });
  }
  await stack.cancel();
  return true;
}

async function readHolder(path: string): Promise<LockHolder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockHolder;
  } catch {
    return undefined; // Removed just now, or half-written by a process that was killed.
  }
}

function mayLive(holder: LockHolder): boolean {
  if (holder.hostname !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
