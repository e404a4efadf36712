import type { IncomingMessage } from 'node:http';
import { oneLine } from '../core/boundedText.js';
import { ClusterError, type ClusterErrorCode, isClusterError } from './clusterError.js';
import type { HttpAnswer, HttpRequest, Transport } from './transport.js';

const longestMessageCharacters = 1_000;
const defaultTimeoutSeconds = 30;

/** One request to the API server; everything in `cluster/` that talks to it does so through this. */
export interface Api {
  /** Any HTTP answer, whatever its status. Throws `ClusterError` when there was none. */
  send(request: ApiRequest): Promise<HttpAnswer>;
  /** The answer as a stream. */
  open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage>;
  /** What an answer that is not a success means. `what` says what was asked, for the message. */
  failure(what: string, answer: HttpAnswer): ClusterError;
  /** Makes a text printable: redacted, one line, bounded. */
  printable(text: string): string;
}

export type ApiRequest = Omit<HttpRequest, 'timeoutSeconds'> & { readonly timeoutSeconds?: number };

export interface ApiOptions {
  readonly transport: Transport;
  /** Called before each request; what it throws is the request's failure. */
  readonly verify: () => Promise<void>;
  readonly clean: (text: string) => string;
  readonly requestTimeoutSeconds?: number;
}

export function createApi({ transport, verify, clean, requestTimeoutSeconds }: ApiOptions): Api {
  const printable = (text: string) => oneLine(clean(text), longestMessageCharacters);
  return {
    printable,
    async open(request, signal) {
      await verify();
      return transport.open(request, signal);
    },
    async send(request) {
      await verify();
      return transport.send({ timeoutSeconds: requestTimeoutSeconds ?? defaultTimeoutSeconds, ...request });
    },
    failure(what, answer) {
      const status = statusOf(answer);
      const { code, retryable } = classify(answer.status, status);
      const said = status?.message ?? answer.body;
      return new ClusterError({
        code,
        retryable,
        status: answer.status,
        message: printable(`${what}: ${answer.status} ${status?.reason ?? ''} ${said}`),
      });
    },
  };
}

/** The part of a Kubernetes `Status` that says what went wrong. */
export interface ApiStatus {
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** `undefined` when the body is no `Status`: then it is not the API's answer but its server's, or a stranger's. */
export function statusOf(answer: HttpAnswer): ApiStatus | undefined {
  const body = parseJson(answer.body) as { kind?: unknown; reason?: unknown; message?: unknown } | undefined;
  if (typeof body !== 'object' || body === null || body.kind !== 'Status') return undefined;
  return {
    reason: typeof body.reason === 'string' ? body.reason : undefined,
    message: typeof body.message === 'string' ? body.message : undefined,
  };
}

/** `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function classify(status: number, said: ApiStatus | undefined): { code: ClusterErrorCode; retryable: boolean } {
  if (status === 429) return { code: 'throttled', retryable: true };
  // Kubernetes 1.35 answers 500 to a server-side apply of an unknown field, which no later time makes known.
  if (/field not declared in schema/.test(said?.message ?? '')) return { code: 'invalid', retryable: false };
  if (status >= 500) return { code: 'server', retryable: true };
  if (status === 409)
    return { code: said?.reason === 'AlreadyExists' ? 'already-exists' : 'conflict', retryable: false };
  if (status === 401) return { code: 'unauthorized', retryable: false };
  if (status === 403) return { code: 'forbidden', retryable: false };
  if (status === 404) return { code: 'not-found', retryable: false };
  if ([400, 405, 413, 415, 422].includes(status)) return { code: 'invalid', retryable: false };
  return { code: 'undecodable', retryable: false };
}

/** What a read makes of an error: its line and whether it may be tried again. Anything that is not ours goes on up. */
export function unreadableFrom(error: unknown): { kind: 'unreadable'; reason: string; retryable: boolean } {
  if (!isClusterError(error)) throw error;
  return { kind: 'unreadable', reason: error.message, retryable: error.retryable };
}
