import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseProcessStat } from './processStat.js';

const prefix = 'django-ray-local-gate-';

export interface PrivateFolder {
  readonly path: string;
  /** Removes it with all it holds. Safe to call twice. */
  remove(): Promise<void>;
}

/**
 * A folder of mode 0700 for one run. Its name carries the process (pid and start time), so that {@link sweepPrivateFolders}
 * knows a folder whose owner was killed.
 */
export async function createPrivateFolder(parent: string = tmpdir()): Promise<PrivateFolder> {
  await mkdir(parent, { recursive: true });
  const start = (await processStart(process.pid)) ?? '0';
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-${start}-`));
  await chmod(path, 0o700);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Runs `act` in a private folder that is gone afterwards, whatever happened. */
export async function withPrivateFolder<T>(act: (path: string) => Promise<T>, parent?: string): Promise<T> {
  const folder = await createPrivateFolder(parent);
  try {
    return await act(folder.path);
  } finally {
    await folder.remove();
  }
}

/** Private folders that this process made and did not remove; empty when it is done with all of them. */
export async function leftPrivateFolders(parent: string = tmpdir()): Promise<readonly string[]> {
  const start = (await processStart(process.pid)) ?? '0';
  const names = await readdir(parent).catch(() => []);
  return names.filter((name) => name.startsWith(`${prefix}${process.pid}-${start}-`)).map((name) => join(parent, name));
}

/** Removes what a killed run left: folders (and files) of ours whose process no longer lives. Returns the removed paths. */
export async function sweepPrivateFolders(parent: string = tmpdir()): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const match = /^django-ray-local-gate-(\d+)-(\d+)-/.exec(name);
    if (!match) continue;
    const path = join(parent, name);
    const owner = await stat(path).catch(() => undefined);
    // A file too: what is unpacked into a private folder lies beside it for a moment.
    if (!(owner?.isDirectory() || owner?.isFile()) || (process.getuid !== undefined && owner.uid !== process.getuid()))
      continue;
    const start = await processStart(Number(match[1]));
    if (start !== undefined && (match[2] === '0' || start === match[2])) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(path);
  }
  return removed;
}

/** When the process started, in clock ticks; `'0'` where there is no /proc but the process lives, undefined when it does not live. */
async function processStart(pid: number): Promise<string | undefined> {
  try {
    return parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8'))?.startTicks;
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    process.kill(pid, 0);
    return '0';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '0' : undefined;
  }
}
