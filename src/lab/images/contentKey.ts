import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** 16 hex digits of parts that cannot run into one another. */
export function hashParts(hash: Hash, parts: readonly (string | Buffer)[]): string {
  for (const part of parts) {
    const bytes = Buffer.from(part);
    hash.update(`${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Changes with any name, content or executable bit of any file below the folder. */
export async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const parts: (string | Buffer)[] = [];
  for (const file of files.sort()) {
    const executable = ((await stat(file)).mode & 0o111) !== 0;
    parts.push(file.slice(folder.length), executable ? 'x' : '-', await readFile(file));
  }
  return hashParts(createHash('sha256'), parts);
}

/** The content of one large file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 16);
}
