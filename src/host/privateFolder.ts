import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart } from './processRecord.js';

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

/** Removes what a killed run left: folders of ours whose process no longer lives. Returns the removed paths. */
export async function sweepPrivateFolders(parent: string = tmpdir()): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const match = /^django-ray-local-gate-(\d+)-(\d+)-/.exec(name);
    if (!match) continue;
    const path = join(parent, name);
    const owner = await stat(path).catch(() => undefined);
    if (!owner?.isDirectory() || (process.getuid !== undefined && owner.uid !== process.getuid())) continue;
    const start = await processStart(Number(match[1]));
    if (start !== undefined && (match[2] === '0' || start === match[2])) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(path);
  }
  return removed;
}
