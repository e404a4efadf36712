import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify } from '../process/processTable.js';

/**
 * Ids of the Kubernetes containers whose first process lives on this machine now, as containerd's task folder names them; none
 * when there is no such folder.
 */
export async function livingContainers(containerdStateFolder: string): Promise<ReadonlySet<string>> {
  const folder = join(containerdStateFolder, 'io.containerd.runtime.v2.task', 'k8s.io');
  const ids = await readdir(folder).catch(() => [] as string[]);
  const living = await Promise.all(ids.map(async (id) => ((await lives(join(folder, id, 'init.pid'))) ? [id] : [])));
  return new Set(living.flat());
}

/** A container that is on its way in or out has no such file: it does not live. */
async function lives(pidFile: string): Promise<boolean> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  return /^\d+$/.test(text) && identify(Number(text)) !== undefined;
}
