import { PassThrough } from 'node:stream';
import type { V1Status } from '@kubernetes/client-node';
import { type Api, parseJson } from './api.js';
import type { ExecOptions, ExecResult } from './cluster.js';
import { ClusterError } from './clusterError.js';
import { segment } from './paths.js';

const largestOutputBytes = 4 * 1_048_576;

/** Channels of `v4.channel.k8s.io` and later. */
const channels = { stdout: 1, stderr: 2, status: 3 } as const;

/**
 * Runs a command in a container over a WebSocket. Ends when the API server reports the command's end; a connection that
 * closes before that, output beyond 4 MiB, or the time-out is a `ClusterError`: the command may then still be running.
 */
export async function execInContainer(api: Api, kubeconfig: string, options: ExecOptions): Promise<ExecResult> {
  const { timeoutSeconds } = options;
  const what = `exec in ${options.namespace}/${options.pod}/${options.container}`;
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let bytes = 0;
  const status = Promise.withResolvers<Partial<V1Status>>();
  status.promise.catch(() => undefined);

  const opened = connect(kubeconfig, execPath(options), (channel, data) => {
    if (channel === channels.status) {
      const said = parseJson(data.toString('utf8'));
      if (typeof said === 'object' && said !== null) status.resolve(said);
      else status.reject(failed('exec', `${what}: the API server's report of its end cannot be read`));
    }
    if (channel !== channels.stdout && channel !== channels.stderr) return;
    bytes += data.length;
    if (bytes > largestOutputBytes) {
      status.reject(failed('exec', `${what}: more than ${largestOutputBytes} bytes of output`));
    } else output[channel === channels.stdout ? 'stdout' : 'stderr'].push(data);
  });
  const limit = setTimeout(() => {
    status.reject(failed('time-out', `${what}: not done within ${timeoutSeconds} s`, true));
  }, timeoutSeconds * 1000);
  try {
    const socket = await Promise.race([opened, status.promise.then(() => opened)]).catch((error) => {
      throw connectFailure(what, error);
    });
    const ended = () =>
      status.reject(failed('unreachable', `${what}: the connection ended before the command did`, true));
    socket.onclose = ended;
    if (socket.readyState === socket.CLOSED) ended();
    const exitCode = exitCodeOf(what, await status.promise, api);
    return { exitCode, stdout: textOf(output.stdout), stderr: textOf(output.stderr) };
  } finally {
    clearTimeout(limit);
    // Also when it opens after we have given up.
    void opened.then((socket) => socket.close()).catch(() => undefined);
  }
}

/** The client is large, and only this needs it. */
async function connect(kubeconfig: string, path: string, onData: (channel: number, data: Buffer) => void) {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const { WebSocketHandler } = await import('@kubernetes/client-node/dist/web-socket-handler.js');
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  // Given streams of its own, because it closes those that it has when the server says so: by default, the process's.
  const own = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  // Not through the client's Exec (2.0.1): a frame that it does not know, or a status that is not JSON, is thrown there into
  // nobody's hands and ends the process.
  return new WebSocketHandler(config, undefined, own).connect(path, null, (channel, data) => {
    onData(channel, data);
    return true;
  });
}

function execPath({ namespace, pod, container, argv }: ExecOptions): string {
  const query = new URLSearchParams([
    ...argv.map((argument): [string, string] => ['command', argument]),
    ['container', container],
    ['stdin', 'false'],
    ['stdout', 'true'],
    ['stderr', 'true'],
    ['tty', 'false'],
  ]);
  return `/api/v1/namespaces/${segment(namespace)}/pods/${segment(pod)}/exec?${query}`;
}

function exitCodeOf(what: string, status: Partial<V1Status>, api: Api): number {
  if (status.status === 'Success') return 0;
  const exitCode = Number(status.details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message);
  if (status.reason === 'NonZeroExitCode' && Number.isInteger(exitCode)) return exitCode;
  const said = `${status.reason ?? ''} ${status.message ?? 'ended without an exit code'}`;
  throw failed('exec', api.printable(`${what}: ${said}`));
}

/** What `ws` says of a refused upgrade is an error event with the status in its text. */
function connectFailure(what: string, error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  const message = String((error as { message?: unknown } | undefined)?.message);
  const status = Number(/Unexpected server response: (\d{3})/.exec(message)?.[1] ?? 0);
  if (status === 0) return failed('unreachable', `${what}: the API server cannot be reached`, true);
  const code = status === 404 ? 'not-found' : status === 403 ? 'forbidden' : status === 401 ? 'unauthorized' : 'exec';
  const retryable = status === 429 || status >= 500;
  return new ClusterError({ code, status, message: `${what}: refused with status ${status}`, retryable });
}

function failed(code: 'exec' | 'time-out' | 'unreachable', message: string, retryable = false): ClusterError {
  return new ClusterError({ code, message, retryable });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
