import { randomBytes } from 'node:crypto';
import { copyFile, link, lstat, rename, rm, stat, utimes } from 'node:fs/promises';

/**
 * Puts a program under another path as a file of its own, no symbolic link: what looks beside itself for others (`pulumi`, for
 * its language host) finds those of the new folder. A hard link where the file system allows one, else a copy with the same time.
 * Safe beside a process that runs what was there.
 */
export async function placeProgram(program: string, path: string): Promise<void> {
  const [wanted, there] = [await stat(program), await stat(path).catch(() => undefined)];
  const isSame = there?.size === wanted.size && there.mtimeMs === wanted.mtimeMs;
  if (isSame && !(await lstat(path)).isSymbolicLink()) return;
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await link(program, draft).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV' && error.code !== 'EPERM') throw error;
      await copyFile(program, draft);
      await utimes(draft, wanted.atime, wanted.mtime);
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
