import { readdir, readFile } from 'node:fs/promises';
import { componentNames } from '../components/component.js';
import { identify, type ProcessIdentity } from '../process/processTable.js';

export interface Stray extends ProcessIdentity {
  readonly command: string;
}

/**
 * Processes of a lab that no record names any more (lost with /run, or started by a lab whose clone is gone): those whose
 * command line holds one of `marks` (the lab's own folders and sockets) and whose program is one of the lab's.
 */
export async function findStrays(marks: readonly string[]): Promise<readonly Stray[]> {
  const programs = new Set<string>([...componentNames, 'containerd-shim-runc-v2']);
  const strays: Stray[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const argv = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const program = argv[0]?.split('/').at(-1) ?? '';
    if (!programs.has(program) || !marks.some((mark) => argv.some((word) => word.includes(mark)))) continue;
    const identity = identify(Number(name));
    if (identity) strays.push({ ...identity, command: program });
  }
  return strays;
}
