import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildFolderPrefix, processesIn, sweepBuilds } from '../../src/lab/toolchain/leftBuilds.js';

const deadPid = 4_194_304; // above every pid_max
const left = `.building-${deadPid}-runc-a1b2c3`;
const running = `${buildFolderPrefix}docker-d4e5f6`;

let binFolder: string;
let children: ChildProcess[];
beforeEach(async () => {
  children = [];
  binFolder = await mkdtemp(join(tmpdir(), 'raygate-builds-'));
  for (const name of [left, running, 'runc-0123456789abcdef']) {
    await mkdir(join(binFolder, name));
    await writeFile(join(binFolder, name, 'runc'), 'x');
  }
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(binFolder, { recursive: true });
});

/** Stands in for a compiler: it works in `cwd`, and was given `argument`. */
async function atWork(cwd: string, argument = 'x'): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', argument], { cwd, stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child;
}

describe('the sweep of builds', () => {
  it('removes what a dead process left half-built, and nothing else', async () => {
    await sweepBuilds(binFolder);
    expect((await readdir(binFolder)).sort()).toEqual([running, 'runc-0123456789abcdef'].sort());
  });

  it('ends what still works there, by its folder or by what it was given, and nobody else', async () => {
    const inFolder = await atWork(join(binFolder, left));
    const byArgument = await atWork(tmpdir(), join(binFolder, left, 'scratch', 'a.o'));
    const others = [
      await atWork(join(binFolder, running)),
      await atWork(binFolder, join(binFolder, `${left}-and-more`)),
    ];
    const gone = [inFolder, byArgument].map((child) => once(child, 'exit'));
    await sweepBuilds(binFolder);
    await Promise.all(gone);
    expect([inFolder, byArgument].map((child) => child.signalCode)).toEqual(['SIGKILL', 'SIGKILL']);
    expect(others.map((child) => child.signalCode)).toEqual([null, null]);
    expect(await processesIn(join(binFolder, left))).toEqual([]);
  });

  it('is nothing where no build ever was', async () => {
    await expect(sweepBuilds(join(binFolder, 'absent'))).resolves.toBeUndefined();
  });
});
