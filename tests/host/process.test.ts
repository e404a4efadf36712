import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProcessFailure, type ProcessFailure, type RunOptions, run } from '../../src/host/process.js';

const node = (script: string, fields: Partial<RunOptions> = {}): RunOptions => ({
  file: process.execPath,
  argv: ['-e', script],
  timeoutSeconds: 10,
  ...fields,
});

async function failureOf(options: RunOptions): Promise<ProcessFailure> {
  const error: unknown = await run(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isProcessFailure(error)) throw new Error(`no ProcessFailure: ${String(error)}`);
  return error;
}

describe('running a program', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-process-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('gives both streams', async () => {
    expect(await run(node('console.log("out"); console.error("err")'))).toEqual({ stdout: 'out\n', stderr: 'err\n' });
  });

  test('hands over arguments as they are: no shell reads them', async () => {
    const { stdout } = await run({ ...node(''), argv: ['-e', 'console.log(process.argv[1])', '$(id) "; ls'] });
    expect(stdout).toBe('$(id) "; ls\n');
  });

  test('gives the child the environment that it is told, and nothing else', async () => {
    const { stdout } = await run(node('console.log(Object.keys(process.env).sort().join())', { env: { ONLY: '1' } }));
    expect(
      stdout
        .trim()
        .split(',')
        .filter((name) => !name.startsWith('__')),
    ).toEqual(['ONLY']);
  });

  test('feeds the input', async () => {
    expect((await run(node('process.stdin.pipe(process.stdout)', { input: 'text' }))).stdout).toBe('text');
  });

  test('a program that is missing is named', async () => {
    const failure = await failureOf({ file: 'raygate-no-such-program', argv: [], timeoutSeconds: 5 });
    expect(failure).toMatchObject({ reason: 'missing', exitCode: undefined });
    expect(failure.message).toContain('"raygate-no-such-program" was not found');
  });

  test('a failure has the exit code and the last line in one line', async () => {
    const failure = await failureOf(node('console.error("first\\nlast words"); process.exit(3)'));
    expect(failure).toMatchObject({ reason: 'exit', exitCode: 3 });
    expect(failure.message).toMatch(/ended with exit code 3: last words$/);
    expect(failure.message).not.toContain('\n');
  });

  test('a failure is cleaned before it is cut', async () => {
    const secret = 'S3CRET-S3CRET';
    const script = `console.error("${secret}" + "x".repeat(15995)); process.exit(1)`;
    const failure = await failureOf(node(script, { clean: (text) => text.replaceAll(secret, '[REDACTED]') }));
    expect(failure.output).not.toContain('SECRET');
    expect(failure.message).not.toContain(secret);
  });

  test('a sensitive program leaves no output', async () => {
    const failure = await failureOf(
      node('console.error("payload"); process.exit(1)', {
        sensitive: true,
        argv: ['-e', 'console.error("pay"+"load"); process.exit(1)'],
      }),
    );
    expect(failure.output).toBe('');
    expect(failure.message).not.toContain('payload');
  });

  test('keeps the tail of what is too long', async () => {
    const { stdout } = await run(node('process.stdout.write("a".repeat(200000) + "end")', { outputLimitBytes: 1000 }));
    expect(stdout).toHaveLength(1000);
    expect(stdout.endsWith('end')).toBe(true);
  });

  test('calls back for each whole line, the last one without an end included', async () => {
    const lines: string[] = [];
    await run(
      node('process.stdout.write("one\\ntwo\\r\\nthr"); process.stdout.write("ee")', {
        onLine: (line) => lines.push(line),
      }),
    );
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  test('a time-out ends the child and what the child started', async () => {
    const pidFile = join(folder, 'grandchild');
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    const failure = await failureOf(node(script, { timeoutSeconds: 1 }));
    expect(failure).toMatchObject({ reason: 'timeout' });
    expect(failure.message).toContain('did not end within 1 s');
    const pid = Number(await readFile(pidFile, 'utf8'));
    for (let i = 0; i < 50 && lives(pid); i++) await pause(50);
    expect(lives(pid)).toBe(false);
  });

  test('a child does not outlive the process that ran it, when that exits', async () => {
    const compiled = join(folder, 'process.js');
    const source = readFileSync(join(import.meta.dirname, '../../src/host/process.ts'), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    });
    await writeFile(compiled, outputText);
    const pidFile = join(folder, 'child');
    const child = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const runner = `
      const { run } = require(${JSON.stringify(compiled)});
      const { existsSync } = require('node:fs');
      run({ file: process.execPath, argv: ['-e', ${JSON.stringify(child)}], timeoutSeconds: 60 }).catch(() => {});
      const timer = setInterval(() => { if (existsSync(${JSON.stringify(pidFile)})) { clearInterval(timer); setTimeout(() => process.exit(0), 100); } }, 20);`;
    await run(node(runner));
    const pid = Number(await readFile(pidFile, 'utf8'));
    for (let i = 0; i < 50 && lives(pid); i++) await pause(50);
    expect(lives(pid)).toBe(false);
  });

  test('a child that ignores SIGTERM is killed', async () => {
    const failure = await failureOf(
      node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', { timeoutSeconds: 1 }),
    );
    expect(failure.reason).toBe('timeout');
  });

  test('a time-out of 0 is refused before anything is started', async () => {
    await expect(run(node('', { timeoutSeconds: 0 }))).rejects.toThrow('give a number above 0');
  });

  test('an abort ends the child', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(await failureOf(node('setInterval(() => {}, 1000)', { signal: controller.signal }))).toMatchObject({
      reason: 'aborted',
    });
  });
});

/** A zombie has ended: its parent has not looked yet. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
