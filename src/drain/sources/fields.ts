/**
 * Strict reading of an object's fields. Absent and null are what the API means by them (empty, false, 0); any other type than the API's is
 * {@link MalformedField}, so that a rule can never take what it does not understand for "finished". Caught in readWork.ts.
 */
export class MalformedField extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze({});
const nothing: readonly never[] = Object.freeze([]);

function wrong(key: string, wanted: string): never {
  throw new MalformedField(`${key} is no ${wanted}`);
}

export function fieldsOf(value: unknown, key: string): Fields {
  if (value === undefined || value === null) return none;
  if (typeof value !== 'object' || Array.isArray(value)) wrong(key, 'object');
  return value as Fields;
}

export function fieldsAt(of: Fields, key: string): Fields {
  return fieldsOf(of[key], key);
}

export function listAt(of: Fields, key: string): readonly unknown[] {
  const value = of[key];
  if (value === undefined || value === null) return nothing;
  if (!Array.isArray(value)) wrong(key, 'list');
  return value;
}

export function textAt(of: Fields, key: string): string {
  const value = of[key];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') wrong(key, 'text');
  return value;
}

export function flagAt(of: Fields, key: string, absent = false): boolean {
  const value = of[key];
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'boolean') wrong(key, 'boolean');
  return value;
}

export function countAt(of: Fields, key: string): number {
  const value = of[key];
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number') wrong(key, 'number');
  return value;
}

/** A value of a map of texts: labels, annotations. */
export function entryAt(of: Fields, map: string, key: string): string {
  const entries = fieldsAt(of, map);
  return Object.hasOwn(entries, key) ? textAt(entries, key) : '';
}

/**
 * The first of the types whose condition has status exactly `True`; undefined when none has. Each condition of the list must be well-formed,
 * not only those asked for. One look at the list, however many types: it is read for every object.
 */
export function firstTrue<Type extends string>(status: Fields, types: readonly Type[]): Type | undefined {
  let first = types.length;
  for (const each of listAt(status, 'conditions')) {
    const condition = fieldsOf(each, 'condition');
    const type = condition['type'];
    if (typeof type !== 'string' || typeof condition['status'] !== 'string') wrong('condition', 'condition');
    if (condition['status'] !== 'True') continue;
    const at = (types as readonly string[]).indexOf(type);
    if (at >= 0 && at < first) first = at;
  }
  return types[first];
}

export function conditionIsTrue(status: Fields, type: string): boolean {
  return firstTrue(status, [type]) !== undefined;
}
