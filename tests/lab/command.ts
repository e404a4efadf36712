import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const projectFolder = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (pid: number) => void;
  readonly onLine?: (line: string) => void;
}

/** Runs `raygate …` of a checkout as a user would, and returns how it ended; never throws for an exit code. */
export function raygate(argv: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const folder = options.folder ?? projectFolder;
  return program(process.execPath, [join(folder, 'bin', 'raygate.mjs'), ...argv], { ...options, folder });
}

export function program(file: string, argv: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...argv], {
      cwd: options.folder ?? projectFolder,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      stderr += text;
      for (const line of text.split('\n')) if (line !== '') options.onLine?.(line);
    });
    child.once('spawn', () => options.onStart?.(child.pid ?? 0));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** The line that a user sees first of a failure. */
export function failure(ended: Ended): string {
  return (
    ended.stderr.split('\n').find((line) => line.startsWith('FAILED')) ??
    `no failure line in: ${ended.stderr.slice(-500)}`
  );
}
