import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';

/** What tells one process from any other, on any machine: its pid, when it started, and where pids count at all. */
export interface ProcessRecord {
  readonly pid: number;
  /** In the kernel's clock ticks since boot; `0` where there is no /proc. */
  readonly start: string;
  /**
   * Sixteen hex digits, equal only for processes of one boot of one kernel in one pid name space; a digest, so that it tells nothing
   * of the machine. `0` where that cannot be known.
   */
  readonly scope: string;
}

/** `dead` and `alive` are proven; `unknown` is a process of another machine, container or boot. */
export type ProcessLife = 'alive' | 'dead' | 'unknown';

export async function ownProcess(): Promise<ProcessRecord> {
  return { pid: process.pid, start: (await processStart(process.pid)) ?? '0', scope: await ownScope() };
}

export async function processLife({ pid, start, scope }: ProcessRecord): Promise<ProcessLife> {
  if (scope === '0' || scope !== (await ownScope())) return 'unknown';
  if (!answers(pid)) return 'dead';
  const now = await readStat(pid);
  // Another's process that /proc hides (hidepid) answers signals and shows nothing else.
  if (now === undefined) return answers(pid) ? 'unknown' : 'dead';
  return now.start === start && !now.ended ? 'alive' : 'dead';
}

/**
 * When the process started, in the kernel's clock ticks since boot, `'0'` where there is no /proc but the process lives, undefined when
 * it does not live; one that has ended and is not yet reaped does not.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  const now = await readStat(pid);
  if (now !== undefined) return now.ended ? undefined : now.start;
  return process.platform !== 'linux' && answers(pid) ? '0' : undefined;
}

/** Fields 3 and 22 of /proc/PID/stat; the command, field 2, may itself hold parentheses. */
async function readStat(pid: number): Promise<{ readonly start: string; readonly ended: boolean } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '', ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function ownScope(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const pids = await readlink('/proc/self/ns/pid');
    return createHash('sha256').update(`raygate ${boot} ${pids}`).digest('hex').slice(0, 16);
  } catch {
    return '0';
  }
}
