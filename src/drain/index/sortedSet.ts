/**
 * A sorted set as a value: a change gives a new set and leaves the old one as it was, sharing all but one chunk with it. Every function takes
 * the order that the set was made with; two members are the same when the order says 0.
 */
export interface SortedSet<T> {
  readonly size: number;
  /** Non-empty, ascending, as are their members. */
  readonly chunks: readonly (readonly T[])[];
}

/** Negative, zero, positive. */
export type Order<Key> = (a: Key, b: Key) => number;

const longestChunk = 512;
const empty: SortedSet<never> = { size: 0, chunks: [] };

export function emptySet<T>(): SortedSet<T> {
  return empty;
}

/** Of members that are the same, the last stays. Values that are in order already are taken in linear time. */
export function setOf<T>(values: readonly T[], order: Order<T>): SortedSet<T> {
  const sorted = values.every((value, at) => at === 0 || order(values[at - 1] as T, value) < 0)
    ? values
    : [...values].sort(order).filter((value, at, all) => at + 1 === all.length || order(value, all[at + 1] as T) !== 0);
  const chunks: T[][] = [];
  // Half full, so that the first additions split nothing.
  for (let at = 0; at < sorted.length; at += longestChunk / 2) chunks.push(sorted.slice(at, at + longestChunk / 2));
  return { size: sorted.length, chunks };
}

/** The first place at which `before` no longer holds; `length` when it always does. */
function firstNot<T>(list: readonly T[], before: (value: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a key is, or would be. */
function place<Key, T extends Key>(set: SortedSet<T>, key: Key, order: Order<Key>) {
  const at = Math.min(
    firstNot(set.chunks, (chunk) => order(chunk[chunk.length - 1] as T, key) < 0),
    Math.max(0, set.chunks.length - 1),
  );
  const chunk = set.chunks[at] ?? [];
  const inner = firstNot(chunk, (value) => order(value, key) < 0);
  const value = chunk[inner];
  return { at, chunk, inner, value: value !== undefined && order(value, key) === 0 ? value : undefined };
}

export function memberOf<Key, T extends Key>(set: SortedSet<T>, key: Key, order: Order<Key>): T | undefined {
  return place(set, key, order).value;
}

/** With the value, in place of the member that is the same. */
export function withMember<T>(set: SortedSet<T>, value: T, order: Order<T>): SortedSet<T> {
  const { at, chunk, inner, value: old } = place(set, value, order);
  const grown = chunk.toSpliced(inner, old === undefined ? 0 : 1, value);
  const half = longestChunk / 2;
  const parts = grown.length > longestChunk ? [grown.slice(0, half), grown.slice(half)] : [grown];
  return { size: set.size + (old === undefined ? 1 : 0), chunks: set.chunks.toSpliced(at, 1, ...parts) };
}

/** The set itself when it has no such member. */
export function withoutMember<Key, T extends Key>(set: SortedSet<T>, key: Key, order: Order<Key>): SortedSet<T> {
  const { at, chunk, inner, value } = place(set, key, order);
  if (value === undefined) return set;
  const left = chunk.toSpliced(inner, 1);
  return { size: set.size - 1, chunks: set.chunks.toSpliced(at, 1, ...(left.length > 0 ? [left] : [])) };
}

/** Members in order. */
export function* members<T>(set: SortedSet<T>): Generator<T> {
  for (const chunk of set.chunks) yield* chunk;
}

/** Members in order, from the first that is not before the key. */
export function* membersFrom<Key, T extends Key>(set: SortedSet<T>, key: Key, order: Order<Key>): Generator<T> {
  const { at, inner } = place(set, key, order);
  for (let each = at; each < set.chunks.length; each += 1)
    yield* (set.chunks[each] as readonly T[]).slice(each === at ? inner : 0);
}

/** The first members, at most so many. */
export function firstMembers<T>(set: SortedSet<T>, atMost: number): readonly T[] {
  const first: T[] = [];
  for (const chunk of set.chunks) {
    if (first.length >= atMost) break;
    first.push(...chunk.slice(0, atMost - first.length));
  }
  return first;
}
