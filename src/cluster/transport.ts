import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { ClusterError } from './clusterError.js';
import type { Connection } from './connection.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** From the start to the last byte of the answer; for {@link Transport.open}, to its head. */
  readonly timeoutSeconds: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** HTTP to one API server on kept-alive connections. No proxy and no environment variable is looked at. */
export interface Transport {
  /** Throws `ClusterError`: `unreachable`, `time-out`, or `undecodable` for an answer that is too large. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The answer as a stream, for a watch. It is on a connection of its own. */
  open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

const largestAnswerBytes = 64 * 1_048_576;

/** Idle connections are given up before the API server (idle time-out 90 s or more) can do it under a request. */
const idleMs = 45_000;

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
]);

export function createTransport(connection: Connection): Transport {
  const base = new URL(connection.server);
  const secure = base.protocol === 'https:';
  const prefix = base.pathname.replace(/\/$/, '');
  const agentOptions = { keepAlive: true, timeout: idleMs, ...tlsOptions(connection) };
  const agents = [0, 1].map(() => (secure ? new Agent(agentOptions) : new PlainAgent(agentOptions)));
  const closing = new AbortController();

  const start = (request: HttpRequest, agent: PlainAgent | undefined, signal: AbortSignal) => {
    const headers: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      'user-agent': 'raygate',
      ...connection.headers,
    };
    if (request.contentType !== undefined) headers['content-type'] = request.contentType;
    if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body));
    const options = {
      method: request.method,
      hostname: base.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: base.port || (secure ? 443 : 80),
      path: prefix + request.path,
      headers,
      agent,
      signal,
    };
    const outgoing = secure ? tlsRequest(options) : plainRequest(options);
    return { outgoing, head: headOf(outgoing, request) };
  };

  const attempt = async (request: HttpRequest): Promise<HttpAnswer | 'stale-connection'> => {
    const limit = AbortSignal.timeout(Math.ceil(request.timeoutSeconds * 1000));
    const { outgoing, head } = start(request, agents[0], AbortSignal.any([limit, closing.signal]));
    try {
      const incoming = await head;
      return { status: incoming.statusCode ?? 0, body: await bodyOf(incoming) };
    } catch (error) {
      // A kept-alive connection that the server had closed: what was sent was not looked at. Safe to repeat for a read.
      const reset = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (reset && outgoing.reusedSocket && request.method === 'GET' && !closing.signal.aborted)
        return 'stale-connection';
      throw asClusterError(error, request, limit.aborted, closing.signal.aborted);
    }
  };

  return {
    async send(request) {
      for (;;) {
        const answer = await attempt(request);
        if (answer !== 'stale-connection') return answer;
      }
    },
    async open(request, signal) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), request.timeoutSeconds * 1000);
      try {
        return await start(request, agents[1], AbortSignal.any([signal, limit.signal, closing.signal])).head;
      } catch (error) {
        throw asClusterError(error, request, limit.signal.aborted, closing.signal.aborted);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      closing.abort();
      for (const agent of agents) agent.destroy();
    },
  };
}

function headOf(outgoing: ReturnType<typeof plainRequest>, request: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Kept after the answer's head: a later error also reaches the answer, and must not be unhandled here.
    outgoing.on('error', reject);
    outgoing.end(request.body);
  });
}

function asClusterError(error: unknown, request: HttpRequest, timedOut: boolean, closed: boolean): ClusterError {
  if (error instanceof ClusterError) return error;
  const what = `${request.method} ${request.path.split('?')[0]}`;
  if (closed)
    return new ClusterError({ code: 'unreachable', message: `${what}: the connection to the cluster was closed` });
  if (timedOut) {
    return new ClusterError({
      code: 'time-out',
      message: `${what}: no answer within ${request.timeoutSeconds} s`,
      retryable: true,
    });
  }
  return connectionError(what, error);
}

/** What a failed connection means: some errors pass, a certificate that does not fit stays. */
export function connectionError(what: string, error: unknown): ClusterError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'no code';
  return new ClusterError({
    code: 'unreachable',
    message: `${what}: the API server cannot be reached (${code})`,
    retryable: transientCodes.has(code),
  });
}

/** The identity of both sides, for a TLS connection. */
export function tlsOptions(connection: Connection) {
  return {
    ca: connection.ca,
    ...(connection.cert && { cert: connection.cert }),
    ...(connection.key && { key: connection.key }),
    ...(connection.serverName !== undefined && { servername: connection.serverName }),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
    rejectUnauthorized: true,
  };
}

/** An answer's whole body. Throws `ClusterError` (`undecodable`) for one that is too large. */
export async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestAnswerBytes) {
      incoming.destroy();
      throw new ClusterError({ code: 'undecodable', message: `the answer is larger than ${largestAnswerBytes} bytes` });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
