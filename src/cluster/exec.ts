import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { V1Status } from '@kubernetes/client-node';
import type { Api } from './api.js';
import type { ExecOptions, ExecResult } from './cluster.js';
import { ClusterError } from './clusterError.js';
import { segment } from './paths.js';

const largestOutputBytes = 4 * 1_048_576;

/**
 * Runs a command in a container over a WebSocket. Ends when the API server reports the command's end; a connection that
 * closes before that, output beyond 4 MiB, or the time-out is a `ClusterError`: the command may then still be running.
 */
export async function execInContainer(api: Api, kubeconfig: string, options: ExecOptions): Promise<ExecResult> {
  const { namespace, pod, container, argv, timeoutSeconds } = options;
  const what = `exec in ${namespace}/${pod}/${container}`;
  // The client is large, and only this needs it.
  const { Exec, KubeConfig } = await import('@kubernetes/client-node');
  const { WebSocketHandler } = await import('@kubernetes/client-node/dist/web-socket-handler.js');
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  // Given streams of its own, because at the end the handler closes those that it has: by default, the process's.
  const own = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const exec = new Exec(config, new WebSocketHandler(config, undefined, own));
  const stdout = collector();
  const stderr = collector();
  const status = Promise.withResolvers<V1Status>();
  const timer = setTimeout(() => {
    status.reject(failed('time-out', `${what}: not done within ${timeoutSeconds} s`, true));
  }, timeoutSeconds * 1000);
  status.promise.catch(() => undefined);
  for (const output of [stdout, stderr]) {
    output.stream.once('error', () =>
      status.reject(failed('exec', `${what}: more than ${largestOutputBytes} bytes of output`)),
    );
  }
  const opened = exec.exec(
    segment(namespace),
    segment(pod),
    container,
    [...argv],
    stdout.stream,
    stderr.stream,
    null,
    false,
    status.resolve,
  );
  try {
    const socket = await Promise.race([opened, status.promise.then(() => opened)]).catch((error) => {
      throw connectFailure(what, error);
    });
    socket.onclose = () =>
      status.reject(failed('unreachable', `${what}: the connection ended before the command did`, true));
    return resultOf(what, await status.promise, await stdout.text(), await stderr.text(), api);
  } finally {
    clearTimeout(timer);
    // Also when it opens after we have given up.
    void opened.then((socket) => socket.close()).catch(() => undefined);
  }
}

function resultOf(what: string, status: V1Status, stdout: string, stderr: string, api: Api): ExecResult {
  if (status.status === 'Success') return { exitCode: 0, stdout, stderr };
  const exitCode = Number(status.details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message);
  if (status.reason === 'NonZeroExitCode' && Number.isInteger(exitCode)) return { exitCode, stdout, stderr };
  throw failed(
    'exec',
    api.printable(`${what}: ${status.reason ?? ''} ${status.message ?? 'ended without an exit code'}`),
  );
}

/** What `ws` says of a refused upgrade is an error event with the status in its text. */
function connectFailure(what: string, error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  const status = Number(
    /Unexpected server response: (\d{3})/.exec(String((error as { message?: unknown })?.message))?.[1],
  );
  if (!status) return failed('unreachable', `${what}: the API server cannot be reached`, true);
  const code = status === 404 ? 'not-found' : status === 403 ? 'forbidden' : status === 401 ? 'unauthorized' : 'exec';
  return new ClusterError({
    code,
    status,
    message: `${what}: refused with status ${status}`,
    retryable: status === 429 || status >= 500,
  });
}

function failed(code: 'exec' | 'time-out' | 'unreachable', message: string, retryable = false): ClusterError {
  return new ClusterError({ code, message, retryable });
}

function collector(): { stream: Writable; text(): Promise<string> } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > largestOutputBytes) return done(new Error('too much output'));
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return {
    stream,
    async text() {
      if (!stream.writableEnded) stream.end();
      if (!stream.writableFinished) await once(stream, 'finish');
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
