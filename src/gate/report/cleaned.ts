/**
 * Plain JSON data with every text in it cleaned, keys included. Text by text, because the escapes of a JSON text can hide a secret
 * from a search, and what a search replaces there can break the JSON.
 */
export function cleaned<T>(value: T, clean: (text: string) => string): T {
  return walk(value, clean) as T;
}

function walk(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => walk(inner, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), walk(inner, clean)]));
}
