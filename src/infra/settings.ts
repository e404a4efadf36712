import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { GateError } from '../core/gateError.js';
import { type Deadlines, deadlinesSchema, wholeSeconds } from './deadlines.js';
import { parseLocalUrl } from './localUrl.js';
import { nearMatch } from './nearMatch.js';
import { profileNames } from './profiles.js';

/** Where relative things of the settings lead: all absolute paths but the stack's name. */
export interface SettingsPlace {
  readonly projectFolder: string;
  readonly homeFolder: string;
  readonly stack: string;
}

const contextPattern = /^(?:docker-desktop|kind-[a-z0-9][a-z0-9._-]*)$/;

const text = z.string().refine((value) => !value.includes('\0') && !/[\r\n]/.test(value), 'must be one line');

const localUrl = text.transform((value, context) => {
  const url = parseLocalUrl(value);
  if (url.ok) return url.origin;
  context.addIssue({ code: 'custom', message: `is refused: ${url.problem}` });
  return z.NEVER;
});

function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: (issue) => `must be ${listed(values)}${shown(issue.input)}` });
}

/** A path: absolute, or below the home folder with a leading `~/`. */
function path(place: SettingsPlace) {
  return text.transform((value, context) => {
    const expanded = value.startsWith('~/') ? join(place.homeFolder, value.slice(2)) : value;
    if (isAbsolute(expanded)) return resolve(expanded);
    context.addIssue({ code: 'custom', message: `must be an absolute path or begin with ~/${shown(value)}` });
    return z.NEVER;
  });
}

/** The typed file behind `raygate:*`. Keys without a default are required; Pulumi hands every value over as text. */
function schemaFor(place: SettingsPlace) {
  return z.object({
    kubeconfig: path(place).describe('Path of the kubeconfig to use. Nothing ambient is consulted.'),
    context: text
      .regex(contextPattern, { error: (issue) => `must be docker-desktop or kind-NAME${shown(issue.input)}` })
      .describe('Context of that file: docker-desktop or kind-NAME.'),
    platform: choice(['docker-desktop', 'kind', 'lab'])
      .optional()
      .describe('What the evidence says of the cluster. Default: what the context says; the lab sets lab.'),
    dockerHost: text
      .regex(/^(?:unix:\/\/\/|npipe:\/\/\/\/\.\/pipe\/|(?:tcp|https?):\/\/)[\x21-\x7e]+$/i, {
        error: 'must be a unix, npipe, tcp, http or https endpoint on this machine',
      })
      .optional()
      .describe('Docker endpoint. Default: that of the current docker context, taken once in preflight.'),
    dockerConfig: path(place)
      .optional()
      .describe("Folder of Docker's configuration. Default: the docker client's own."),
    profile: choice(profileNames).default('full').describe('Replicas and resources: full, lean or lab.'),
    rayRestart: choice(['required', 'skip']).describe(
      'Whether a new run restarts Ray cold. Required, without default.',
    ),
    drain: choice(['wait', 'skip']).default('wait').describe('Whether accepted work is waited for before a change.'),
    attempt: text
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
        error: (issue) => `must be 1 to 63 letters, digits, . _ or -${shown(issue.input)}`,
      })
      .optional()
      .describe('Any new value forces a new run of an unchanged tree.'),
    adopt: choice(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true')
      .describe('Whether objects that exist under our names but are not ours are taken over.'),
    runtimeEnvAccess: choice(['RWX', 'RWO'])
      .default('RWX')
      .describe('Access mode of the RuntimeEnv claim. RWO serves one node only.'),
    webUrl: localUrl.default('http://localhost:30080').describe('Where the web Service answers on this machine.'),
    prometheusUrl: localUrl.default('http://localhost:30090').describe('Where Prometheus answers on this machine.'),
    stateFolder: path(place)
      .default(join(place.projectFolder, '.raygate', place.stack))
      .describe("The stack's private folder: kubeconfig snapshot, evidence, logs."),
    deadlineSeconds: wholeSeconds(10_800).describe('Seconds that one `up` may take in all, from its first step.'),
    deadlines: deadlinesSchema.describe('Seconds by layer name, as an object.'),
  });
}

type Parsed = z.output<ReturnType<typeof schemaFor>>;
export type Platform = NonNullable<Parsed['platform']>;

/** Settings of a stack, checked; quantities in seconds, paths absolute, URLs as origins without a trailing slash. */
export interface Settings
  extends Readonly<Omit<Parsed, 'platform' | 'deadlines' | 'dockerHost' | 'dockerConfig' | 'attempt'>> {
  readonly platform: Platform;
  readonly deadlines: Deadlines;
  readonly dockerHost: string | undefined;
  readonly dockerConfig: string | undefined;
  readonly attempt: string | undefined;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads `raygate:*` out of a stack's whole configuration (other projects' keys are passed over). Every missing, wrong and
 * unknown key is reported at once, each in a line that begins with its path. Values of URLs and endpoints are not repeated.
 */
export function parseSettings(raw: Readonly<Record<string, string>>, place: SettingsPlace): SettingsResult {
  const schema = schemaFor(place);
  const known = Object.keys(schema.shape);
  const own = Object.entries(raw).filter(([key]) => key.startsWith('raygate:'));
  const given = Object.fromEntries(own.map(([key, value]) => [key.slice('raygate:'.length), value]));
  const unknown = Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => unknownKey(key, known));
  const parsed = schema.safeParse(given);
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => problemLine(issue, given));
  if (!parsed.success || unknown.length > 0) return { ok: false, problems: [...wrong, ...unknown] };
  const { platform, dockerHost, dockerConfig, attempt, ...rest } = parsed.data;
  const derived = rest.context === 'docker-desktop' ? 'docker-desktop' : 'kind';
  return { ok: true, settings: { ...rest, platform: platform ?? derived, dockerHost, dockerConfig, attempt } };
}

/** All problems as one error, a line each, with what to do. */
export function settingsError(problems: readonly string[]): GateError {
  const lines = [
    `${problems.length} wrong in the settings of this stack:`,
    ...problems.map((problem) => `  ${problem}`),
  ];
  const next = 'set them with: pulumi config set KEY VALUE';
  return new GateError({ layer: 'settings', code: 'settings.invalid', message: [...lines, next].join('\n') });
}

/** One row a setting, for the documentation: key, what it means, whether it must be given. */
export function settingsReference(): readonly {
  readonly key: string;
  readonly meaning: string;
  readonly required: boolean;
}[] {
  const schema = schemaFor({ projectFolder: '/', homeFolder: '/', stack: 'STACK' });
  return Object.entries(schema.shape).map(([key, field]) => ({
    key: `raygate:${key}`,
    meaning: field.description ?? '',
    required: !field.safeParse(undefined).success,
  }));
}

function problemLine(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const [key, ...rest] = issue.path.map(String);
  const where = `raygate:${[key, ...rest].join('.')}`;
  if (key !== undefined && !(key in given)) return `${where} is missing`;
  return `${where} ${issue.message}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearMatch(key, known);
  return `raygate:${key} is no setting; ${near ? `did you mean raygate:${near}?` : `the settings are ${known.join(', ')}`}`;
}

function listed(values: readonly string[]): string {
  const last = values[values.length - 1] ?? '';
  return values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `, not ${JSON.stringify(value.slice(0, 100))}` : '';
}
