import { readFile } from 'node:fs/promises';
import { parseProcessStat } from './processStat.js';

/** Parent of a process; undefined when it does not live, or where there is no /proc. */
export async function parentOf(pid: number): Promise<number | undefined> {
  try {
    return parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8'))?.parent;
  } catch {
    return undefined;
  }
}

/** The processes that this one hangs on, nearest first, without process 1. Empty where there is no /proc. */
export async function ancestorsOf(pid: number): Promise<readonly number[]> {
  const ancestors: number[] = [];
  for (let next = await parentOf(pid); next !== undefined && next > 1; next = await parentOf(next))
    ancestors.push(next);
  return ancestors;
}

const lookEveryMs = 500;

/**
 * Calls `onOrphaned` once when one of the `depth` nearest ancestors is gone: a plugin whose engine was killed must not go on
 * changing things beside the next one. Returns what ends the looking. Does nothing where there is no /proc.
 */
export function watchAncestors(depth: number, onOrphaned: () => void, pid: number = process.pid): () => void {
  const look = async () => (await ancestorsOf(pid)).slice(0, depth).join();
  const wanted = look();
  let ended = false;
  const timer = setInterval(async () => {
    if ((await look()) === (await wanted) || ended) return;
    ended = true;
    clearInterval(timer);
    onOrphaned();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
