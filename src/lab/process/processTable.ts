import { readdirSync, readFileSync } from 'node:fs';
import { parseProcessStat } from '../../host/processStat.js';

/** What tells one process from a later one under the same pid: its start time in clock ticks since boot, and the boot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
}

export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/**
 * The identity of a running process; `undefined` when there is none, or only a zombie is left of it. A killed process whose
 * other threads are still ending counts as running: it holds its ports and files until they are gone.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = parseProcessStat(statOf(pid));
  if (!stat || stat.state === 'X' || (stat.state === 'Z' && !hasOtherThreads(pid))) return undefined;
  return { pid, startTicks: stat.startTicks, bootId: bootId() };
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

function hasOtherThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** True only for the very process that was recorded, never for another one under its pid. */
export function isAlive(recorded: ProcessIdentity): boolean {
  const now = identify(recorded.pid);
  return now !== undefined && now.startTicks === recorded.startTicks && now.bootId === recorded.bootId;
}

/** Sends a signal to the recorded process and to no other; false when it is gone. */
export function signal(recorded: ProcessIdentity, name: 'SIGTERM' | 'SIGKILL'): boolean {
  if (!isAlive(recorded)) return false;
  try {
    process.kill(recorded.pid, name);
    return true;
  } catch {
    return false;
  }
}
