/**
 * The path at which two JSON values first differ, or undefined when they are equal. Values are not shown. Anything that is not
 * plain JSON, such as a value that Pulumi will only know later, differs from everything.
 */
export function firstDifference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return `${path || '(root)'} (${expected.length} items, not ${actual.length})`;
    return first(expected.map((item, index) => () => firstDifference(item, actual[index], `${path}[${index}]`)));
  }
  if (isPlainObject(expected) && isPlainObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
    return first(
      keys.map((key) => () => {
        const at = path === '' ? key : `${path}.${key}`;
        return key in expected && key in actual ? firstDifference(expected[key], actual[key], at) : at;
      }),
    );
  }
  return isScalar(expected) && expected === actual ? undefined : path || '(root)';
}

function first(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const difference = look();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}
