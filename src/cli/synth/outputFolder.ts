import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { healFolder, writeWholeFolder } from '../../host/wholeFolder.js';
import type { Files } from '../../infra/render/files.js';
import { indexFile, indexGenerator } from '../../infra/render/manifestIndex.js';

/**
 * Puts the files in place of the whole folder, as {@link writeWholeFolder} does, so that nothing of an earlier rendering is left.
 * Returns the files that stood there. A link is followed. Only a folder that is missing, empty, or holds what this program rendered
 * and nothing else is replaced.
 * @throws GateError `usage.foreign-folder`, `usage.out-folder` for one that cannot be read or written.
 */
export async function replaceFolder(folder: string, files: Files): Promise<Files> {
  return asUsage(folder, async () => {
    const target = await followed(folder);
    await healFolder(target);
    await assertOurs(target);
    const before = (await filesOf(target)) ?? new Map();
    await writeWholeFolder(target, files, 'all');
    return before;
  });
}

/**
 * The files that stand in a folder; undefined when there is no folder.
 * @throws GateError `usage.out-folder` when it cannot be read.
 */
export async function readFolder(folder: string): Promise<Files | undefined> {
  return asUsage(folder, () => filesOf(folder));
}

async function filesOf(folder: string): Promise<Files | undefined> {
  const entries = await entriesOf(folder);
  if (entries === undefined) return undefined;
  const files = entries.filter((entry) => !entry.isFolder);
  const read = files.map(
    async ({ path }): Promise<[string, string]> => [path, await readFile(join(folder, path), 'utf8')],
  );
  return new Map((await Promise.all(read)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function assertOurs(folder: string): Promise<void> {
  const entries = await entriesOf(folder);
  if (entries === undefined || entries.length === 0) return;
  const repository = entries.find(({ path }) => path.split('/').includes('.git'));
  if (repository) throw foreign(`${folder} holds a git repository (${repository.path})`);
  const listed = await listedFiles(folder);
  if (listed === undefined) throw foreign(`${folder} holds ${entries.length} entries and is not a rendered folder`);
  const strangers = entries.filter(({ path, isFolder }) =>
    isFolder ? !listed.some((file) => file.startsWith(`${path}/`)) : !listed.includes(path),
  );
  const [first] = strangers;
  if (first === undefined) return;
  const more = strangers.length > 1 ? ` and ${strangers.length - 1} more` : '';
  throw foreign(`${folder} holds ${first.path}${more}, which its ${indexFile} does not list`);
}

/** What a rendering's index says is in its folder, itself included; undefined when there is none. */
async function listedFiles(folder: string): Promise<readonly string[] | undefined> {
  try {
    const index = JSON.parse(await readFile(join(folder, indexFile), 'utf8'));
    return index.generator === indexGenerator ? [indexFile, ...Object.keys(index.files)] : undefined;
  } catch {
    return undefined;
  }
}

interface Entry {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
}

async function entriesOf(folder: string): Promise<readonly Entry[] | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  return entries?.map((entry) => ({
    path: join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/'),
    isFolder: entry.isDirectory(),
  }));
}

/** Where a link leads; the folder itself where it is none, or not there. */
async function followed(folder: string): Promise<string> {
  const target = await realpath(folder).catch(ignoreMissing);
  if (target !== undefined) return target;
  if ((await lstat(folder).catch(ignoreMissing)) === undefined) return folder;
  throw foreign(`${folder} is a link that leads nowhere`);
}

function foreign(what: string): GateError {
  return new GateError({
    layer: 'usage',
    code: 'usage.foreign-folder',
    message: `${what}: give --out a new or empty folder`,
  });
}

/** What the file system refuses of the folder that the user named; a full disk is not their naming. */
const refusals = [
  'EACCES',
  'EBUSY',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
];

async function asUsage<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code = '', path } = error as NodeJS.ErrnoException;
    if (!refusals.includes(code)) throw error;
    throw new GateError({
      layer: 'usage',
      code: 'usage.out-folder',
      message: `the folder ${folder} cannot be used (${code}${path === undefined || path === folder ? '' : ` at ${path}`}): give --out one that this user can read and write`,
    });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
