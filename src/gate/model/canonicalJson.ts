import { createHash } from 'node:crypto';

/** JSON with sorted keys and without spaces: equal data gives equal text. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

export function sha256Of(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
