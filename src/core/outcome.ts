/**
 * What came of a read. `absent` is authoritative: a 404 from the API server, or a kind that discovery proves unserved.
 * Everything else that is not an answer (403, 5xx, time-out, decode error, stale discovery) is `unreadable`, a type of its
 * own, so that failing closed is a choice the compiler asks for.
 */
export type Outcome<T> = { readonly kind: 'found'; readonly value: T } | { readonly kind: 'absent' } | Unreadable;

export interface Unreadable {
  readonly kind: 'unreadable';
  /** One redacted line: what was read and what came back. */
  readonly reason: string;
  /** Whether the same read may succeed later without anybody's doing (5xx, 429, time-out, connection refused). */
  readonly retryable: boolean;
}

export function found<T>(value: T): Outcome<T> {
  return { kind: 'found', value };
}

export const absent = { kind: 'absent' } as const;

export function unreadable(reason: string, retryable: boolean): Unreadable {
  return { kind: 'unreadable', reason, retryable };
}
