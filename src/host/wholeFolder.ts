import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Puts `files` (content by name) in the place of a whole folder, or leaves it as it was: they are written beside it and the folder
 * is renamed into place. A kill between leaves the folder whole or missing, never mixed; the next call sweeps what it left. Folders
 * are 0700, files 0600.
 */
export async function writeWholeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await sweep(folder);
  const work = join(parent, `${workPrefix(folder)}${randomBytes(6).toString('hex')}`);
  const [fresh, old] = [join(work, 'fresh'), join(work, 'old')];
  try {
    await mkdir(fresh, { recursive: true, mode: 0o700 });
    for (const [name, content] of files) await writeFile(join(fresh, name), content, { mode: 0o600, flag: 'wx' });
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
  }
}

async function sweep(folder: string): Promise<void> {
  const parent = dirname(folder);
  const left = (await readdir(parent)).filter((name) => name.startsWith(workPrefix(folder)));
  for (const name of left) await rm(join(parent, name), { recursive: true, force: true });
}

function workPrefix(folder: string): string {
  return `.${basename(folder)}.writing-`;
}
