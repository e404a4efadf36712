import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GateError } from '../../core/gateError.js';
import { writeWhole } from '../../host/wholeFile.js';
import { identify, isAlive, type ProcessIdentity, signal } from './processTable.js';

/** A long-lived process of the lab. Its files are laid before it starts; a change of any part of this restarts it. */
export interface Daemon {
  readonly name: string;
  readonly file: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly content: string; readonly mode?: number }[];
  /** Files of an earlier, dead one that stop it; removed before it starts. */
  readonly stale?: readonly string[];
}

export interface DaemonRecord extends ProcessIdentity {
  readonly name: string;
  /** Hash of the command, its environment and its files: tells whether what runs is what this version would start. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

export function fingerprint(daemon: Daemon): string {
  return createHash('sha256')
    .update(JSON.stringify([daemon.file, daemon.argv, daemon.environment, daemon.files]))
    .digest('hex');
}

export async function readRecord(processFolder: string, name: string): Promise<DaemonRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(processFolder, `${name}.json`), 'utf8')) as DaemonRecord;
  } catch {
    return undefined; // Never written, or lost with /run: the process, if any, is found by its socket or port.
  }
}

/** Starts the daemon in a session of its own, its output appended to a log, and records who it is. */
export async function startDaemon(
  daemon: Daemon,
  folders: { processFolder: string; logFolder: string },
): Promise<DaemonRecord> {
  for (const path of daemon.stale ?? []) await rm(path, { force: true });
  for (const file of daemon.files) await writeWhole(file.path, file.content, file.mode);
  await mkdir(folders.logFolder, { recursive: true, mode: 0o700 });
  const log = await open(join(folders.logFolder, `${daemon.name}.log`), 'a', 0o600);
  try {
    const startedAt = new Date().toISOString();
    const child = spawn(daemon.file, [...daemon.argv], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { ...daemon.environment },
      cwd: '/',
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) =>
        reject(
          new GateError({
            layer: 'lab',
            code: 'lab.not-started',
            message: `${daemon.name} did not start: ${error.message}`,
          }),
        ),
      );
    });
    child.unref();
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    if (!identity) throw await exitedAtOnce(daemon.name, folders.logFolder);
    const record: DaemonRecord = { ...identity, name: daemon.name, fingerprint: fingerprint(daemon), startedAt };
    await writeWhole(join(folders.processFolder, `${daemon.name}.json`), JSON.stringify(record));
    return record;
  } finally {
    await log.close();
  }
}

/** The error of a daemon that ended on its own, with its own last words. */
export async function exitedAtOnce(name: string, logFolder: string): Promise<GateError> {
  const lines = await readFile(join(logFolder, `${name}.log`), 'utf8').then(
    (text) => text.trimEnd().split('\n').slice(-3).join(' | '),
    () => 'no log',
  );
  return new GateError({
    layer: 'lab',
    code: 'lab.component-exited',
    message: `${name} ended at once; its last words: ${lines.slice(-600)}. See: raygate lab logs ${name}`,
    retryable: true,
  });
}

/** Ends the recorded process: asks, then insists after `graceSeconds`. Resolves when it is gone. */
export async function stopDaemon(record: ProcessIdentity, graceSeconds: number): Promise<void> {
  signal(record, 'SIGTERM');
  const end = performance.now() + graceSeconds * 1000;
  // A process that is not our child gives no event: its entry in /proc is looked at until it goes.
  while (isAlive(record)) {
    if (performance.now() > end) signal(record, 'SIGKILL');
    await delay(20);
  }
}

export async function forgetRecord(processFolder: string, name: string): Promise<void> {
  await rm(join(processFolder, `${name}.json`), { force: true });
}
