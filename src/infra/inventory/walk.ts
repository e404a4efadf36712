export interface Field {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** The field's own name; undefined for an item of a list. */
  readonly key: string | undefined;
  readonly value: unknown;
}

/** Every field of a JSON value, parents before children. One list, not a generator: each level of those costs all fields below. */
export function fieldsOf(value: unknown, path = ''): readonly Field[] {
  const fields: Field[] = [];
  collect(value, path, fields);
  return fields;
}

function collect(value: unknown, path: string, fields: Field[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) add(undefined, value[index], `${path}[${index}]`, fields);
    return;
  }
  for (const [key, child] of Object.entries(value)) add(key, child, path === '' ? key : `${path}.${key}`, fields);
}

function add(key: string | undefined, value: unknown, path: string, fields: Field[]): void {
  fields.push({ path, key, value });
  collect(value, path, fields);
}
