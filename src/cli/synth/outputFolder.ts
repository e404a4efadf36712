import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import type { Files } from '../../infra/render/files.js';
import { indexFile, indexGenerator } from '../../infra/render/manifestIndex.js';

/**
 * Puts the files in place of the whole folder: written beside it and renamed, so that no half of it is ever seen and nothing of
 * an earlier rendering is left. Returns the files that stood there. Only a folder that is missing, empty, or rendered by this program is replaced.
 * @throws GateError `usage.foreign-folder`.
 */
export async function replaceFolder(folder: string, files: Files): Promise<Files> {
  await assertOurs(folder);
  const before = await readFolder(folder);
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const [fresh, old] = [join(work, 'fresh'), join(work, 'old')];
    for (const [path, text] of files) {
      const target = join(fresh, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
    await rename(folder, old).catch(ignoreMissing);
    await rename(fresh, folder);
    return before;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The files that stand in a folder; none when there is no folder. */
export async function readFolder(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  const files = (entries ?? []).filter((entry) => !entry.isDirectory());
  const read = files.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path, 'utf8')];
  });
  return new Map((await Promise.all(read)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function assertOurs(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(ignoreMissing);
  if (entries === undefined || entries.length === 0) return;
  const index = await readFile(join(folder, indexFile), 'utf8').catch(() => '');
  if (index.includes(`"generator": "${indexGenerator}"`)) return;
  throw new GateError({
    layer: 'usage',
    code: 'usage.foreign-folder',
    message: `${folder} holds ${entries.length} entries and is not a rendered folder: give --out a new or empty one`,
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
