import { type ChildProcess, spawn } from 'node:child_process';

export interface RunOptions {
  readonly file: string;
  /** Arguments, one an entry; there is no shell. Never a secret. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child. Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** After this the whole process group is ended: SIGTERM, then SIGKILL two seconds later. */
  readonly timeoutSeconds: number;
  readonly input?: string;
  /** Called with each whole line of both streams, cleaned. */
  readonly onLine?: (line: string) => void;
  /** Applied to whatever may reach a message or `onLine`. The result's own streams are as the child wrote them. */
  readonly clean?: (text: string) => string;
  /** Output of a sensitive command never reaches a message. Default: false. */
  readonly sensitive?: boolean;
  /** Bytes kept of each stream (its tail is kept). Default: 4 MiB. */
  readonly outputLimitBytes?: number;
  /** Takes stdout as it comes; then `stdout` of the result is empty and nothing of it is kept. */
  readonly onStdout?: (chunk: Buffer) => void;
  /** Ends the child as the time-out does. */
  readonly signal?: AbortSignal;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
}

export type ProcessFailureReason = 'missing' | 'exit' | 'signal' | 'timeout' | 'aborted' | 'spawn';

/** A child that did not end with 0. `message` is one line; `output` the cleaned tail of what it wrote (empty when sensitive). */
export class ProcessFailure extends Error {
  readonly isProcessFailure = true;
  constructor(
    message: string,
    readonly reason: ProcessFailureReason,
    readonly exitCode: number | undefined,
    readonly output: string,
  ) {
    super(message);
    this.name = 'ProcessFailure';
  }
}

export function isProcessFailure(error: unknown): error is ProcessFailure {
  return (
    typeof error === 'object' && error !== null && (error as { isProcessFailure?: unknown }).isProcessFailure === true
  );
}

const killGraceMs = 2_000;

/** Children stand in process groups of their own, out of a terminal's reach: when this process ends, they are ended with it. */
const livingGroups = new Set<number>();
process.on('exit', () => {
  for (const pid of livingGroups) signalGroup(pid, 'SIGTERM');
});

/**
 * Runs one program to its end, in a process group of its own so that a time-out ends its children too.
 * @throws ProcessFailure when it is missing, exits with anything but 0, is ended by a signal, or runs out of time.
 */
export function run(options: RunOptions): Promise<RunResult> {
  if (!(options.timeoutSeconds > 0)) {
    return Promise.reject(
      new RangeError(`timeoutSeconds of "${options.file}" is ${options.timeoutSeconds}: give a number above 0.`),
    );
  }
  const limitBytes = options.outputLimitBytes ?? 4 * 1024 * 1024;
  const clean = options.clean ?? ((text: string) => text);
  return new Promise((resolve, reject) => {
    const child = spawn(options.file, [...options.argv], {
      cwd: options.cwd,
      env: options.env === undefined ? process.env : { ...options.env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    if (child.pid !== undefined) livingGroups.add(child.pid);
    const onLine = options.onLine && !options.sensitive ? (line: string) => options.onLine?.(clean(line)) : undefined;
    const stdout = options.onStdout
      ? forward(child.stdout, options.onStdout)
      : collect(child.stdout, limitBytes, onLine);
    const stderr = collect(child.stderr, limitBytes, onLine);
    let ended: 'timeout' | 'aborted' | undefined;
    const end = (why: 'timeout' | 'aborted') => {
      ended ??= why;
      endGroup(child);
    };
    const timer = setTimeout(() => end('timeout'), options.timeoutSeconds * 1000);
    const onAbort = () => end('aborted');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
    const settle = (act: () => void) => {
      clearTimeout(timer);
      if (child.pid !== undefined) livingGroups.delete(child.pid);
      options.signal?.removeEventListener('abort', onAbort);
      act();
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      settle(() => {
        const missing = error.code === 'ENOENT';
        const what = missing
          ? `The program "${options.file}" was not found (or its folder "${options.cwd ?? '.'}"): install it or put it on PATH.`
          : `The program "${options.file}" could not be started: ${error.code ?? error.message}.`;
        reject(new ProcessFailure(what, missing ? 'missing' : 'spawn', undefined, ''));
      }),
    );
    child.on('close', (code, signal) =>
      settle(() => {
        if (code === 0 && ended === undefined) {
          resolve({ stdout: stdout(), stderr: stderr() });
          return;
        }
        const output = options.sensitive ? '' : tail(clean(`${stdout()}\n${stderr()}`));
        const how =
          ended === 'timeout'
            ? `did not end within ${options.timeoutSeconds} s`
            : ended === 'aborted'
              ? 'was stopped'
              : code === null
                ? `was ended by ${signal}`
                : `ended with exit code ${code}`;
        const last = options.sensitive ? 'its output is suppressed' : lastLine(output);
        const message = `${clean([options.file, ...options.argv].join(' '))} ${how}: ${last}`;
        const reason = ended ?? (code === null ? 'signal' : 'exit');
        reject(new ProcessFailure(message, reason, code ?? undefined, output));
      }),
    );
    child.stdin.on('error', () => {}); // a child that ends without reading its input is judged by its exit code
    child.stdin.end(options.input ?? '');
  });
}

function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), killGraceMs).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

function forward(stream: NodeJS.ReadableStream, onChunk: (chunk: Buffer) => void): () => string {
  stream.on('data', onChunk);
  return () => '';
}

function collect(
  stream: NodeJS.ReadableStream,
  limitBytes: number,
  onLine: ((line: string) => void) | undefined,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let partial = '';
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes > limitBytes && chunks.length > 1) bytes -= (chunks.shift() as Buffer).length;
    if (!onLine) return;
    const lines = (partial + chunk.toString('utf8')).split(/\r\n|\n|\r/);
    partial = (lines.pop() ?? '').slice(-16_384);
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (onLine && partial !== '') onLine(partial);
  });
  return () => {
    const all = Buffer.concat(chunks);
    return (all.length > limitBytes ? all.subarray(all.length - limitBytes) : all).toString('utf8');
  };
}

/** The last 60 lines, at most 16,000 characters. */
function tail(text: string): string {
  return text.trim().split('\n').slice(-60).join('\n').slice(-16_000);
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? 'it wrote nothing').trim().slice(-600);
}
