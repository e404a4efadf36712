import { canonicalJson } from './canonicalJson.js';
import { asRecord } from './json.js';

/** Where two values first differ. */
export interface JsonDifference {
  /** `spec.containers[web].env[DEBUG].value` */
  readonly path: string;
  readonly is: unknown;
  readonly should: unknown;
}

/**
 * The first difference between two JSON values, or undefined when they are equal. Items of a list that have names are told apart by
 * them, others by their place; the order counts.
 */
export function jsonDifference(is: unknown, should: unknown, path: string): JsonDifference | undefined {
  if (canonicalJson(is) === canonicalJson(should)) return undefined;
  if (Array.isArray(is) && Array.isArray(should)) return listDifference(is, should, path);
  if (isRecord(is) && isRecord(should)) {
    for (const key of [...new Set([...Object.keys(should), ...Object.keys(is)])].sort()) {
      const found = jsonDifference(is[key], should[key], `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return { path, is, should };
}

function listDifference(is: readonly unknown[], should: readonly unknown[], path: string): JsonDifference | undefined {
  const [live, planned] = [namesOf(is), namesOf(should)];
  if (live === undefined || planned === undefined) {
    return first(Math.max(is.length, should.length), (i) => jsonDifference(is[i], should[i], `${path}[${i}]`));
  }
  const added = live.findIndex((name) => !planned.includes(name));
  if (added >= 0) return { path: `${path}[${live[added]}]`, is: is[added], should: undefined };
  const missing = planned.findIndex((name) => !live.includes(name));
  if (missing >= 0) return { path: `${path}[${planned[missing]}]`, is: undefined, should: should[missing] };
  if (live.join('\0') !== planned.join('\0')) return { path, is: live, should: planned };
  return first(is.length, (i) => jsonDifference(is[i], should[i], `${path}[${live[i]}]`));
}

/** What tells the items apart; undefined when they have no such thing, or not each its own. */
function namesOf(items: readonly unknown[]): readonly string[] | undefined {
  for (const key of ['mountPath', 'name']) {
    const names = items.map((item) => asRecord(item)[key]);
    if (names.every((name) => typeof name === 'string') && new Set(names).size === names.length)
      return names as readonly string[];
  }
  return undefined;
}

function first(length: number, look: (i: number) => JsonDifference | undefined): JsonDifference | undefined {
  for (let i = 0; i < length; i++) {
    const found = look(i);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
