import { StringDecoder } from 'node:string_decoder';
import { type Api, parseJson } from './api.js';
import { isClusterError } from './clusterError.js';
import { decodeObject } from './decode.js';
import type { KubeObject } from './objects.js';

/**
 * How a stream ended: `closed` by the server at its own time-out, so it can be continued from the last version; anything
 * else asks for a new list: `expired` (410), `silent` (nothing, not even a bookmark, for too long), `refused` (401, 403), `broken`, `stopped` by us.
 */
export interface StreamEnd {
  readonly kind: 'closed' | 'expired' | 'silent' | 'refused' | 'broken' | 'stopped';
  readonly reason: string;
}

export type StreamEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface StreamOptions {
  readonly path: string;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** The API server has begun to answer. */
  readonly onOpen: () => void;
  readonly onEvent: (event: StreamEvent) => void;
}

const headTimeoutSeconds = 30;
const longestLineCharacters = 16 * 1_048_576;

/** Reads one watch to its end. Never throws what the network or the API server did; that is the end's kind. */
export async function readWatch(api: Api, options: StreamOptions): Promise<StreamEnd> {
  const silence = new AbortController();
  const signal = AbortSignal.any([options.signal, silence.signal]);
  const timer = setTimeout(() => silence.abort(), options.silenceMs);
  try {
    const request = { method: 'GET', path: options.path, timeoutSeconds: headTimeoutSeconds } as const;
    const incoming = await api.open(request, signal);
    if (incoming.statusCode !== 200) {
      incoming.destroy();
      return refusal(incoming.statusCode ?? 0);
    }
    options.onOpen();
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      timer.refresh();
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLineCharacters) return { kind: 'broken', reason: 'an event is too large' };
      for (const line of lines) {
        const end = line === '' ? undefined : takeLine(line, options.onEvent);
        if (end) return end;
      }
    }
    return rest === ''
      ? { kind: 'closed', reason: 'the server closed it' }
      : { kind: 'broken', reason: 'it was cut off' };
  } catch (error) {
    if (options.signal.aborted) return { kind: 'stopped', reason: 'stopped' };
    if (silence.signal.aborted) return { kind: 'silent', reason: `nothing for ${options.silenceMs / 1000} s` };
    return { kind: 'broken', reason: isClusterError(error) ? error.message : 'the connection broke' };
  } finally {
    clearTimeout(timer);
  }
}

function refusal(status: number): StreamEnd {
  const reason = `the watch was answered with status ${status}`;
  if (status === 410) return { kind: 'expired', reason };
  return { kind: status === 401 || status === 403 ? 'refused' : 'broken', reason };
}

function takeLine(line: string, onEvent: (event: StreamEvent) => void): StreamEnd | undefined {
  const event = parseJson(line) as { type?: unknown; object?: Record<string, unknown> } | undefined;
  const type = event?.type;
  if (type === 'ERROR') {
    const { code, message } = event?.object ?? {};
    return { kind: code === 410 ? 'expired' : 'broken', reason: `the API server reports ${code}: ${message}` };
  }
  if (type === 'BOOKMARK') {
    const { resourceVersion } = (event?.object?.['metadata'] ?? {}) as { resourceVersion?: unknown };
    if (typeof resourceVersion !== 'string') return { kind: 'broken', reason: 'a bookmark has no version' };
    onEvent({ type, resourceVersion });
    return undefined;
  }
  const object = decodeObject(event?.object);
  if (!object || (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')) {
    return { kind: 'broken', reason: 'an event cannot be read' };
  }
  onEvent({ type, object });
  return undefined;
}
