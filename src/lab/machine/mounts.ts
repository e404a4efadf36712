import { readFile } from 'node:fs/promises';
import { run } from '../../host/process.js';

/** Mount points below any of `folders`, deepest first, from the text of /proc/self/mountinfo. */
export function mountsBelow(mountinfo: string, folders: readonly string[]): readonly string[] {
  return mountinfo
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((path) => path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))))
    .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
    .reverse();
}

/** Unmounts all that the lab's containers and pods left mounted below `folders`. */
export async function unmountBelow(folders: readonly string[]): Promise<void> {
  const mounted = mountsBelow(await readFile('/proc/self/mountinfo', 'utf8'), folders);
  // Lazily: a mount that a dying process still holds goes when the process does.
  for (let start = 0; start < mounted.length; start += 100) {
    await run({ file: 'umount', argv: ['-l', ...mounted.slice(start, start + 100)], timeoutSeconds: 30 });
  }
}
