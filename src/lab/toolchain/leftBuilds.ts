import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, deadlineIn } from '../../core/deadline.js';
import { identify, type ProcessIdentity, signal } from '../process/processTable.js';

const endingLimitSeconds = 10;
const unfinished = '.building-';

/** The beginning of the name of a folder that this process builds in. */
export const buildFolderPrefix = `${unfinished}${process.pid}-`;

/**
 * Removes what killed builds left in `binFolder`, after ending compilers that outlived them: they are in a process group of their
 * own, and would make their folder again. The folder of a process that lives is another command's, and stays.
 */
export async function sweepBuilds(binFolder: string): Promise<void> {
  const names = await readdir(binFolder).catch(() => [] as string[]);
  const dead = names.filter((name) => {
    if (!name.startsWith(unfinished)) return false;
    const pid = Number.parseInt(name.slice(unfinished.length), 10);
    return identify(pid) === undefined;
  });
  for (const name of dead) {
    const folder = join(binFolder, name);
    await endProcessesIn(folder, deadlineIn(endingLimitSeconds));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Processes that work in `folder` or were given a file of it. */
export async function processesIn(folder: string): Promise<readonly ProcessIdentity[]> {
  const inside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  const found: ProcessIdentity[] = [];
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => '');
    const argv = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const identity = inside(cwd) || argv.some(inside) ? identify(Number(name)) : undefined;
    if (identity) found.push(identity);
  }
  return found;
}

/** Looks again after each round: a compiler's driver may have started another one before its own end. */
async function endProcessesIn(folder: string, deadline: Deadline): Promise<void> {
  for (;;) {
    const left = await processesIn(folder);
    if (left.length === 0 || deadline.passed()) return;
    for (const each of left) signal(each, 'SIGKILL');
    await pause(20);
  }
}
