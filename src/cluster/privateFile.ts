import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kubeconfigError } from './kubeconfigError.js';

/** On Windows a mode says nothing, so it is not looked at. */
const modesCount = process.getuid !== undefined;

/**
 * Writes a file that only we can read: complete or not at all, never over another one. Its folder must be ours alone.
 * Returns false when a file of that name is there already.
 */
export async function writePrivateFile(path: string, content: Buffer): Promise<boolean> {
  await requirePrivateFolder(dirname(path));
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      await handle.chmod(0o600);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await linkUnlessThere(draft, path);
  } finally {
    await unlink(draft);
  }
}

/** The bytes of a regular file that only we can read; a link is not followed. */
export async function readPrivateFile(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (!handle)
    throw kubeconfigError('unreadable', `kubeconfig snapshot ${path} cannot be read: run again from the start`);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || (modesCount && (stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0))) {
      throw kubeconfigError(
        'not-private',
        `kubeconfig snapshot ${path} is not a file of ours with mode 0600: run again from the start`,
      );
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function requirePrivateFolder(folder: string): Promise<void> {
  const stat = await lstat(folder).catch(() => undefined);
  const ours = !modesCount || (stat?.uid === process.getuid?.() && ((stat?.mode ?? 0o077) & 0o077) === 0);
  if (stat?.isDirectory() && ours) return;
  throw kubeconfigError('not-private', `folder ${folder} for the kubeconfig snapshot must be ours, with mode 0700`);
}

async function linkUnlessThere(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
