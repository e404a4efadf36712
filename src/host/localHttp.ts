import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Where requests go: checked by the gate's URL rule, so always this machine. */
export interface LocalHttpTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

export interface LocalHttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Default: 64 KiB. A longer body is an error, not a cut. */
  readonly bodyLimitBytes?: number;
}

export interface LocalHttpResponse {
  /** A redirect is returned as its 3xx status: nothing is followed. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export type LocalHttpReason = 'unreachable' | 'time-out' | 'too-long' | 'broken';

/** A request without an answer. The message holds no header. */
export class LocalHttpError extends Error {
  readonly isLocalHttpError = true;
  constructor(
    message: string,
    readonly reason: LocalHttpReason,
  ) {
    super(message);
    this.name = 'LocalHttpError';
  }
}

export function isLocalHttpError(error: unknown): error is LocalHttpError {
  return (
    typeof error === 'object' && error !== null && (error as { isLocalHttpError?: unknown }).isLocalHttpError === true
  );
}

/**
 * One plain HTTP request to this machine, on a connection of its own: an agent without `proxyEnv` ignores proxy variables,
 * and a name below `.localhost` is this machine whatever a resolver says of it (RFC 6761).
 */
export function localHttp(target: LocalHttpTarget, options: LocalHttpRequest): Promise<LocalHttpResponse> {
  const limitBytes = options.bodyLimitBytes ?? 64 * 1024;
  const name = target.host.replace(/^\[|\]$/g, '');
  const connectTo = name === 'localhost' || name.endsWith('.localhost') ? 'localhost' : name;
  const where = `${options.method} ${options.path} at ${target.host}:${target.port}`;
  const secure = target.scheme === 'https';
  const send = secure ? httpsRequest : httpRequest;
  const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        outgoing.destroy(new LocalHttpError(`${where} gave no answer within ${options.timeoutSeconds} s`, 'time-out')),
      options.timeoutSeconds * 1000,
    );
    const outgoing = send(
      {
        host: connectTo,
        port: target.port,
        method: options.method,
        path: options.path,
        headers: {
          host: `${target.host}:${target.port}`,
          connection: 'close',
          'content-length': '0',
          ...options.headers,
        },
        agent,
      },
      (incoming) => {
        readBody(incoming, limitBytes).then(
          (body) => {
            clearTimeout(timer);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
          },
          (error: Error) => {
            clearTimeout(timer);
            outgoing.destroy();
            reject(
              isLocalHttpError(error) ? error : new LocalHttpError(`${where} broke off: ${codeOf(error)}`, 'broken'),
            );
          },
        );
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        isLocalHttpError(error) ? error : new LocalHttpError(`${where} failed: ${codeOf(error)}`, reasonOf(error)),
      );
    });
    outgoing.end();
  });
}

function readBody(incoming: IncomingMessage, limitBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limitBytes) {
        reject(new LocalHttpError(`the answer is longer than ${limitBytes} bytes`, 'too-long'));
        return;
      }
      chunks.push(chunk);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.on('error', reject);
    incoming.on('aborted', () => reject(new LocalHttpError('the answer broke off', 'broken')));
  });
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

function reasonOf(error: NodeJS.ErrnoException): LocalHttpReason {
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EADDRNOTAVAIL'].includes(error.code ?? '')
    ? 'unreachable'
    : 'broken';
}
