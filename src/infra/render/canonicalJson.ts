import { createHash } from 'node:crypto';

/** JSON without spaces and with keys sorted by code point: equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** SHA-256 of the canonical JSON, 64 hex digits. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** SHA-256 of a text in UTF-8, 64 hex digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}
