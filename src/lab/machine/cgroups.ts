import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileExists } from '../../host/fileExists.js';
import { cgroupParent } from '../components/containerd.js';
import { identify, isAlive, type ProcessIdentity, signal } from '../process/processTable.js';

const root = '/sys/fs/cgroup';

/** The folder of each mounted hierarchy: one on cgroup v2, one a controller on v1. */
async function hierarchies(): Promise<readonly string[]> {
  const unified = await fileExists(join(root, 'cgroup.controllers'));
  if (unified) return [root];
  const names = await readdir(root);
  return names.filter((name) => name !== 'unified').map((name) => join(root, name));
}

/**
 * Makes the cgroup above all pods and builds of the lab, with sixteen times a process' weight: on v1 it competes with each single process
 * of the root group, and Ray gives its raylet a fixed 30 s to start (2.60).
 */
export async function ensureCgroups(): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const folder = join(hierarchy, cgroupParent);
    await mkdir(folder, { recursive: true });
    if (hierarchy === root) {
      const controllers = (await readFile(join(root, 'cgroup.controllers'), 'utf8')).trim().split(' ');
      const enable = controllers.map((name) => `+${name}`).join(' ');
      await writeFile(join(root, 'cgroup.subtree_control'), enable);
      await writeFile(join(folder, 'cgroup.subtree_control'), enable);
      await writeFile(join(folder, 'cpu.weight'), '1600');
    } else if (hierarchy.endsWith('/cpu')) {
      await writeFile(join(folder, 'cpu.shares'), '16384');
    } else if (hierarchy.endsWith('/cpuset')) {
      // On v1 a new cpuset holds nothing, and no process may enter it before it does.
      for (const file of ['cpuset.cpus', 'cpuset.mems']) {
        await writeFile(join(folder, file), await readFile(join(hierarchy, file), 'utf8'));
      }
    }
  }
}

/** Ends every process in the lab's cgroups: asks, and insists after `graceSeconds`. Then removes the cgroups. */
export async function emptyCgroups(graceSeconds: number): Promise<void> {
  const folders = (await Promise.all((await hierarchies()).map((path) => tree(join(path, cgroupParent))))).flat();
  const processes = await members(folders);
  for (const each of processes) signal(each, 'SIGTERM');
  const end = performance.now() + graceSeconds * 1000;
  for (;;) {
    const left = await members(folders);
    if (left.length === 0) break;
    if (performance.now() > end) for (const each of left) signal(each, 'SIGKILL');
    await delay(50);
  }
  // Children first: a cgroup with children cannot go.
  for (const folder of folders.sort((a, b) => b.length - a.length)) await rmdir(folder).catch(() => {});
}

async function members(folders: readonly string[]): Promise<readonly ProcessIdentity[]> {
  const pids = new Set<number>();
  for (const folder of folders) {
    const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    for (const line of text.split('\n')) if (line !== '' && line !== '0') pids.add(Number(line));
  }
  return [...pids].flatMap((pid) => identify(pid) ?? []).filter(isAlive);
}

async function tree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => tree(join(folder, entry.name))),
  );
  return entries.length > 0 ? [folder, ...below.flat()] : [];
}
