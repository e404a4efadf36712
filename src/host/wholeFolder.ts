import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileExists } from './fileExists.js';

/** Who may read what is written: only this user (folders 0700, files 0600), or whom the umask lets. */
export type FolderReaders = 'this user' | 'all';

const modes = { 'this user': { folder: 0o700, file: 0o600 }, all: { folder: 0o777, file: 0o666 } } as const;

/**
 * Puts `files` (content by path below the folder, with `/`) in the place of a whole folder, or leaves it as it was: they are written
 * beside it and the folder is renamed into place. Where the process exits meanwhile, what stood there is put back; a kill leaves the
 * folder whole or missing, never mixed, and the next call, or {@link healFolder}, puts it back and sweeps what was left.
 */
export async function writeWholeFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  readers: FolderReaders = 'this user',
): Promise<void> {
  const mode = modes[readers];
  const parent = dirname(folder);
  await makeFolder(parent, mode.folder);
  await healFolder(folder);
  const work = join(parent, `${workPrefix(folder)}${randomBytes(6).toString('hex')}`);
  const [fresh, old] = [join(work, 'fresh'), join(work, 'old')];
  const undo = () => {
    if (existsSync(old) && !existsSync(folder)) renameSync(old, folder);
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', undo);
  try {
    await makeFolder(fresh, mode.folder);
    for (const [name, content] of files) {
      const path = join(fresh, name);
      await makeFolder(dirname(path), mode.folder);
      await writeFile(path, content, { mode: mode.file, flag: 'wx' });
    }
    await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    try {
      await rename(fresh, folder);
    } catch (error) {
      await rename(old, folder).catch(() => {}); // There may have been none; what is reported is why the new one is not there.
      throw error;
    }
  } finally {
    await rm(work, { recursive: true, force: true });
    process.removeListener('exit', undo);
  }
}

/** Puts a folder back that a killed writer had moved aside, and removes what that one left beside it. */
export async function healFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((each) => each.startsWith(workPrefix(folder)))) {
    const old = join(parent, name, 'old');
    if ((await fileExists(old)) && !(await fileExists(folder))) await rename(old, folder);
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

function workPrefix(folder: string): string {
  return `.${basename(folder)}.writing-`;
}

/** By hand: Node's recursive `mkdir` never ends where a folder that exists answers ENOENT, as those of /proc do. */
async function makeFolder(path: string, mode: number): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  }
}
