export interface Field {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** The field's own name; undefined for an item of a list. */
  readonly key: string | undefined;
  readonly value: unknown;
}

/** Every field of a JSON value, parents before children. */
export function* fieldsOf(value: unknown, path = ''): Generator<Field> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const at = `${path}[${index}]`;
      yield { path: at, key: undefined, value: item };
      yield* fieldsOf(item, at);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    yield { path: at, key, value: child };
    yield* fieldsOf(child, at);
  }
}
