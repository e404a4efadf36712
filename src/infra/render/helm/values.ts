import { yamlText } from '../../yamlText.js';

/** One value that a chart takes. */
export interface ChartValue {
  /** `replicas`, or `image.tag`: at most two steps. */
  readonly path: string;
  readonly default: unknown;
  /** Sentences for whoever sets it. */
  readonly meaning: string;
}

/** `values.yaml`: every value with its default, its meaning above it. */
export function renderValues(values: readonly ChartValue[]): string {
  const lines: string[] = [];
  let open = '';
  for (const { path, default: value, meaning } of values) {
    const [top = '', inner] = path.split('.');
    if (inner === undefined) open = '';
    else if (top !== open) {
      lines.push(`${top}:`);
      open = top;
    }
    const indent = inner === undefined ? '' : '  ';
    lines.push(`${indent}# ${meaning}`);
    const text = yamlText({ [inner ?? top]: value }).trimEnd();
    lines.push(...text.split('\n').map((line) => `${indent}${line}`));
  }
  return `${lines.join('\n')}\n`;
}

interface Group {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Record<string, unknown>;
}

/** `values.schema.json`: Helm refuses a value of another type, and one that the chart does not take. */
export function renderValuesSchema(values: readonly ChartValue[]): string {
  const properties: Record<string, unknown> = { global: { type: 'object' } };
  for (const { path, default: value, meaning } of values) {
    const [top = '', inner] = path.split('.');
    const schema = { description: meaning, ...typeOf(value) };
    if (inner === undefined) properties[top] = schema;
    else {
      const group = (properties[top] as Group | undefined) ?? {
        type: 'object',
        additionalProperties: false,
        properties: {},
      };
      group.properties[inner] = schema;
      properties[top] = group;
    }
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function typeOf(value: unknown): object {
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'string') return { type: 'string' };
  return { type: 'object' };
}
