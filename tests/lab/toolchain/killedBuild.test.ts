import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unitFolder } from '../../../src/lab/toolchain/build.js';
import { goVersion } from '../../../src/lab/toolchain/goModule.js';
import { processesIn } from '../../../src/lab/toolchain/leftBuilds.js';
import { program } from '../command.js';

/** A build of the lab in a process of its own, with an empty build cache, so that it really compiles. */
describe('a build that was killed while it compiled', () => {
  let folder: string;
  let binFolder: string;
  let target: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-killed-build-'));
    binFolder = join(folder, 'bin');
    target = await unitFolder('runc', { binFolder, go: await goVersion() });
  });
  afterAll(async () => {
    for (const { pid } of await processesIn(binFolder)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const script = `
    const { buildUnits } = require('./dist/lab/toolchain/build.js');
    const { goVersion } = require('./dist/lab/toolchain/goModule.js');
    goVersion().then((go) => buildUnits(['runc'], { binFolder: process.argv[1], go, progress: () => {} }));
  `;
  const build = (onStart: (pid: number) => void = () => {}) =>
    program(process.execPath, ['-e', script, binFolder], { env: { GOCACHE: join(folder, 'go-cache') }, onStart });
  const list = () => readdir(binFolder).catch(() => [] as string[]);
  const programsAtWork = async () => {
    const processes = await processesIn(binFolder);
    return Promise.all(processes.map(({ pid }) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  };
  const looks: string[] = [];
  /** Looks at the finished folder until `work` ends: what is there under that name must be whole. */
  async function watched<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const ended = work.finally(() => {
      over = true;
    });
    while (!over) {
      const size = await stat(join(target, 'runc')).then(
        (file) => `${file.size} bytes`,
        () => undefined,
      );
      looks.push(size ?? ((await list()).includes(basename(target)) ? 'a folder without its binary' : 'nothing'));
      await pause(25);
    }
    return ended;
  }

  it('leaves no binary folder, only a temporary one', async () => {
    let builder = 0;
    const ended = build((pid) => {
      builder = pid;
    });
    const killed = (async () => {
      while (!(await programsAtWork()).includes('compile\n')) await pause(25);
      process.kill(builder, 'SIGKILL');
    })();
    await watched(Promise.all([ended, killed]));
    expect((await list()).map((name) => name.replace(/-[^-]*$/, ''))).toEqual([`.building-${builder}-runc`]);
    expect(new Set(looks)).toEqual(new Set(['nothing']));
  });

  it('is made by the next one, which leaves nothing but the whole folder, and no compiler', async () => {
    const next = await watched(build());
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect([await list(), await readdir(target)]).toEqual([[basename(target)], ['runc']]);
    expect(await programsAtWork()).toEqual([]);
    const { size } = await stat(join(target, 'runc'));
    expect(looks.filter((look) => look !== 'nothing' && look !== `${size} bytes`)).toEqual([]);
    expect((await program(join(target, 'runc'), ['--version'])).stdout).toMatch(/^runc version /);
  });

  it('is not made again', async () => {
    const before = await stat(join(target, 'runc'));
    expect((await build()).code).toBe(0);
    expect((await stat(join(target, 'runc'))).mtimeMs).toBe(before.mtimeMs);
  });
});
