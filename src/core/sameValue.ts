import { isDeepStrictEqual } from 'node:util';

/** Whether two plain values say the same: the order of an object's fields does not matter (the API server sorts them), that of a list does. */
export function sameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
