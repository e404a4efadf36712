import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withSetupLock } from '../../scripts/setupLock.mjs';

let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-setup-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lock = () => join(folder, '.raygate', 'setup.lock');
const locked = () =>
  withSetupLock(
    lock(),
    (line) => said.push(line),
    () => readFile(lock(), 'utf8'),
  );
const hold = async (text: string) => {
  await mkdir(join(folder, '.raygate'), { recursive: true });
  await writeFile(lock(), text);
};
const startTicks = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
};

describe('the set-up lock', () => {
  it('says who holds it, and is gone afterwards', async () => {
    expect(await locked()).toBe(`${process.pid} ${await startTicks(process.pid)}`);
    expect([existsSync(lock()), said]).toEqual([false, []]);
  });

  it.each([
    ['of a pid that lives again, started at another time', '1 7'],
    ['of a pid without a start', '1'],
    ['of a process that is gone', '4194999 7'],
    ['of nobody', 'x'],
  ])('%s is taken over', async (_name, text) => {
    await hold(text);
    await locked();
    expect(said).toEqual([]);
  });

  it('is waited for while its holder lives, and that is said once', async () => {
    await hold(`${process.pid} ${await startTicks(process.pid)}`);
    const waiting = locked();
    await expect.poll(() => said).toEqual([`waiting for the set-up of pid ${process.pid} (${lock()})`]);
    await rm(lock());
    await waiting;
    expect(said).toHaveLength(1);
  });

  it.each([
    ['in a folder that takes no file', () => symlink('/proc/self', join(folder, '.raygate')), 'ENOENT'],
    ['under a file', () => writeFile(join(folder, '.raygate'), ''), 'EEXIST'],
  ])('%s is refused at once, with the path', async (_name, lay, code) => {
    await lay();
    await expect(locked()).rejects.toThrow(`${join(folder, '.raygate')} cannot be written (${code} at `);
  });
});

describe('a set-up that is killed', () => {
  const checkout = join(import.meta.dirname, '..', '..');
  /** A checkout whose compiler says that it runs and then does what it is told. */
  async function lay(compiler: string): Promise<void> {
    for (const part of ['bin', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
      await cp(join(checkout, part), join(folder, part), { recursive: true });
    await mkdir(join(folder, 'src'));
    await mkdir(join(folder, 'node_modules', 'typescript', 'bin'), { recursive: true });
    await cp(join(checkout, 'node_modules', '.raygate-lock'), join(folder, 'node_modules', '.raygate-lock'));
    await writeFile(join(folder, 'node_modules', 'typescript', 'bin', 'tsc'), compiler);
  }
  function started(): { child: ChildProcess; ended: Promise<{ code: number | null; stderr: string }> } {
    const child = spawn(process.execPath, [join(folder, 'bin', 'raygate.mjs'), '--help'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr }))) };
  }
  const running = "require('node:fs').writeFileSync('running', ''); setInterval(() => {}, 1000);";

  it.each([
    ['the compiler dies of it', running],
    ['the compiler ends by itself then', `process.on('SIGTERM', () => process.exit(0)); ${running}`],
  ])('says what interrupted it, with the exit code of the signal, when %s', async (_name, compiler) => {
    await lay(compiler);
    const { child, ended } = started();
    await expect.poll(() => existsSync(join(folder, 'running')), { timeout: 10_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual({
      code: 143,
      stderr: 'setup: compiling (tsc)\nFAILED [setup]: compiling was interrupted by SIGTERM: run the command again\n',
    });
  });

  it('gives the code of a signal to a program that was killed', async () => {
    await lay(
      "require('node:fs').mkdirSync('dist/cli', { recursive: true }); require('node:fs').writeFileSync('dist/cli/main.js', 'process.kill(process.pid, \"SIGKILL\")');",
    );
    expect((await started().ended).code).toBe(137);
  });
});
