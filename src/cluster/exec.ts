import type { IncomingMessage } from 'node:http';
import WebSocket from 'ws';
import { deferred } from '../core/deferred.js';
import { type Api, parseJson } from './api.js';
import type { ExecOptions, ExecResult } from './cluster.js';
import { ClusterError } from './clusterError.js';
import type { Connection } from './connection.js';
import { segment } from './paths.js';
import { bodyOf, connectionError, tlsOptions } from './transport.js';

const largestOutputBytes = 4 * 1_048_576;

/** The first byte of a message says what it belongs to, the same in both protocols. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const channels = { stdout: 1, stderr: 2, status: 3 } as const;

/** What the API server reports when a command has ended. */
interface ExecStatus {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/**
 * Runs a command in a container over a WebSocket. Ends when the API server reports the command's end; a connection that
 * closes before that, output beyond 4 MiB, or the time-out is a `ClusterError`: the command may then still be running.
 */
export async function execInContainer(
  api: Api,
  connection: Connection,
  options: ExecOptions,
  signal: AbortSignal,
): Promise<ExecResult> {
  const { timeoutSeconds } = options;
  const what = `exec in ${options.namespace}/${options.pod}/${options.container}`;
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const ended = deferred<ExecStatus>();
  let bytes = 0;

  const socket = new WebSocket(execUrl(connection.server, options), protocols, {
    ...tlsOptions(connection),
    headers: connection.headers,
    perMessageDeflate: false,
    followRedirects: false,
  });
  socket.on('message', (data: Buffer) => {
    const [channel] = data;
    const rest = data.subarray(1);
    if (channel === channels.status)
      ended.resolve(statusOf(rest) ?? { message: 'the report of its end cannot be read' });
    if (channel !== channels.stdout && channel !== channels.stderr) return;
    bytes += rest.length;
    if (bytes > largestOutputBytes)
      ended.reject(failed('exec', `${what}: more than ${largestOutputBytes} bytes of output`));
    else output[channel === channels.stdout ? 'stdout' : 'stderr'].push(rest);
  });
  socket.on('unexpected-response', (_, incoming: IncomingMessage) => {
    refusal(api, what, incoming).then(ended.reject, ended.reject);
  });
  socket.on('error', (error) => ended.reject(connectionError(what, error)));
  socket.on('close', () => {
    ended.reject(failed('unreachable', `${what}: the connection ended before the command did`, true));
  });
  const limit = setTimeout(() => {
    ended.reject(failed('time-out', `${what}: not done within ${timeoutSeconds} s`, true));
  }, timeoutSeconds * 1000);
  const close = () => ended.reject(failed('unreachable', `${what}: the connection to the cluster was closed`));
  signal.addEventListener('abort', close);
  try {
    const exitCode = exitCodeOf(what, await ended.promise, api);
    return { exitCode, stdout: textOf(output.stdout), stderr: textOf(output.stderr) };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', close);
    socket.terminate();
  }
}

function execUrl(server: string, { namespace, pod, container, argv }: ExecOptions): string {
  const query = new URLSearchParams([
    ...argv.map((argument): [string, string] => ['command', argument]),
    ['container', container],
    ['stdout', 'true'],
    ['stderr', 'true'],
  ]);
  const path = `/api/v1/namespaces/${segment(namespace)}/pods/${segment(pod)}/exec?${query}`;
  return server.replace(/^http/i, 'ws').replace(/\/$/, '') + path;
}

function statusOf(data: Buffer): ExecStatus | undefined {
  const value = parseJson(data.toString('utf8'));
  return typeof value === 'object' && value !== null ? value : undefined;
}

function exitCodeOf(what: string, status: ExecStatus, api: Api): number {
  if (status.status === 'Success') return 0;
  const exitCode = Number(status.details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message);
  if (status.reason === 'NonZeroExitCode' && Number.isInteger(exitCode)) return exitCode;
  const said = `${status.reason ?? ''} ${status.message ?? 'ended without an exit code'}`;
  throw failed('exec', api.printable(`${what}: ${said}`));
}

/** The API server answered the request for a WebSocket with something else. */
async function refusal(api: Api, what: string, incoming: IncomingMessage): Promise<ClusterError> {
  const body = await bodyOf(incoming).catch(() => '');
  return api.failure(what, { status: incoming.statusCode ?? 0, body });
}

function failed(code: 'exec' | 'time-out' | 'unreachable', message: string, retryable = false): ClusterError {
  return new ClusterError({ code, message, retryable });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
