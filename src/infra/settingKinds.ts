import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { parseLocalUrl } from './localUrl.js';

/** What a setting may hold: the check, and the same in words, for messages and documentation. */
export interface SettingKind<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** Fits behind "must be" and "give". */
  readonly values: string;
}

/** What the documentation says of a setting. */
export interface SettingDoc {
  readonly values: string;
  /** Undefined: it must be given. */
  readonly default: string | undefined;
  readonly meaning: string;
}

export const oneLine = z.string().refine((value) => !value.includes('\0') && !/[\r\n]/.test(value), 'must be one line');

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const words = listed(values);
  return {
    values: words,
    schema: z.enum(values, { error: (issue) => `must be ${words}${shown(issue.input)}` }),
  };
}

export const truth = {
  values: 'true or false',
  schema: choice(['true', 'false']).schema.transform((value) => value === 'true'),
};

/** Text of a form. The value is repeated in the message unless it may hold a credential. */
export function matching(form: RegExp, values: string, repeated: 'repeated' | 'not repeated') {
  const error = (issue: { input?: unknown }) => `must be ${values}${repeated === 'repeated' ? shown(issue.input) : ''}`;
  return { values, schema: oneLine.regex(form, { error }) };
}

/** An origin, without a trailing slash. */
export const localUrl = {
  values: 'an http or https URL of this machine, without a path',
  schema: oneLine.transform((value, context) => {
    const url = parseLocalUrl(value);
    if (url.ok) return url.origin;
    context.addIssue({ code: 'custom', message: `is refused: ${url.problem}` });
    return z.NEVER;
  }),
};

/** A path, made absolute. */
export function path(homeFolder: string) {
  const values = 'an absolute path, or one that begins with ~/';
  const schema = oneLine.transform((value, context) => {
    const expanded = value.startsWith('~/') ? join(homeFolder, value.slice(2)) : value;
    if (isAbsolute(expanded)) return resolve(expanded);
    context.addIssue({ code: 'custom', message: `must be ${values}${shown(value)}` });
    return z.NEVER;
  });
  return { values, schema };
}

export function required<Schema extends z.ZodType>({ schema, values }: SettingKind<Schema>, meaning: string): Schema {
  return documented(schema, { values, default: undefined, meaning });
}

/** What stands for a value that is not given is found later; `meanwhile` says where. */
export function optional<Schema extends z.ZodType>(kind: SettingKind<Schema>, meanwhile: string, meaning: string) {
  return documented(kind.schema.optional(), { values: kind.values, default: meanwhile, meaning });
}

export function defaulted<Schema extends z.ZodType>(
  kind: SettingKind<Schema>,
  value: z.util.NoUndefined<z.output<Schema>>,
  meaning: string,
  shownDefault = String(value),
) {
  return documented(kind.schema.default(value), { values: kind.values, default: shownDefault, meaning });
}

export function documented<Schema extends z.ZodType>(schema: Schema, doc: SettingDoc): Schema {
  return schema.meta({ ...doc });
}

/** What {@link documented} said of a field. */
export function docOf(field: z.ZodType): SettingDoc {
  return field.meta() as unknown as SettingDoc;
}

function listed(values: readonly string[]): string {
  const last = values[values.length - 1] ?? '';
  return values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `, not ${JSON.stringify(value.slice(0, 100))}` : '';
}
