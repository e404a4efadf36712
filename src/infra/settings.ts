import { join } from 'node:path';
import { z } from 'zod';
import { GateError } from '../core/gateError.js';
import { type Deadlines, deadlinesSchema, defaultDeadlineSeconds } from './deadlines.js';
import { nearMatch } from './nearMatch.js';
import { profileNames } from './profiles.js';
import {
  choice,
  defaulted,
  docOf,
  documented,
  localUrl,
  matching,
  optional,
  path,
  required,
  type SettingDoc,
  truth,
} from './settingKinds.js';

/** Where relative things of the settings lead: all absolute paths but the stack's name. */
export interface SettingsPlace {
  readonly projectFolder: string;
  readonly homeFolder: string;
  readonly stack: string;
}

/** The typed file behind `raygate:*`; Pulumi hands every value over as text. */
function schemaFor(place: SettingsPlace) {
  const folder = path(place.homeFolder);
  return z.object({
    kubeconfig: required(folder, 'Path of the kubeconfig to use. Nothing ambient is consulted.'),
    context: required(
      matching(/^(?:docker-desktop|kind-[a-z0-9][a-z0-9._-]*)$/, 'docker-desktop or kind-NAME', 'repeated'),
      'Context of that file.',
    ),
    platform: optional(
      choice(['docker-desktop', 'kind', 'lab']),
      'what the context says',
      'What the evidence says of the cluster; the lab sets lab.',
    ),
    dockerHost: optional(
      matching(
        /^(?:unix:\/\/\/|npipe:\/\/\/\/\.\/pipe\/|(?:tcp|https?):\/\/)[\x21-\x7e]+$/i,
        'a unix, npipe, tcp, http or https endpoint on this machine',
        'not repeated',
      ),
      'that of the current docker context',
      'Docker endpoint, taken once in preflight.',
    ),
    dockerConfig: optional(folder, "the docker client's own", "Folder of Docker's configuration."),
    profile: defaulted(choice(profileNames), 'full', 'Replicas and resources.'),
    rayRestart: required(choice(['required', 'skip']), 'Whether a new run restarts Ray cold.'),
    drain: defaulted(choice(['wait', 'skip']), 'wait', 'Whether accepted work is waited for before a change.'),
    attempt: optional(
      matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, '1 to 63 letters, digits, . _ or -', 'repeated'),
      'not set',
      'Any new value forces a new run of an unchanged tree.',
    ),
    adopt: defaulted(truth, false, 'Whether objects that exist under our names but are not ours are taken over.'),
    enforce: defaulted(
      truth,
      false,
      'Whether the run acts as a service account that may write nothing but the inventory.',
    ),
    runtimeEnvAccess: defaulted(
      choice(['RWX', 'RWO']),
      'RWX',
      'Access mode of the RuntimeEnv claim. RWO serves one node only.',
    ),
    webUrl: defaulted(localUrl, 'http://localhost:30080', 'Where the web Service answers on this machine.'),
    prometheusUrl: defaulted(localUrl, 'http://localhost:30090', 'Where Prometheus answers on this machine.'),
    stateFolder: defaulted(
      folder,
      join(place.projectFolder, '.raygate', place.stack),
      "The stack's private folder: kubeconfig snapshot, evidence, logs. `npm start` sets one outside the checkout.",
      '.raygate/STACK in the checkout',
    ),
    deadlines: documented(deadlinesSchema, {
      values: 'an object of seconds by name, such as {"ray": 600}',
      default: Object.entries(defaultDeadlineSeconds)
        .map(([name, seconds]) => `${name} ${seconds}`)
        .join(', '),
      meaning: 'How long each part may take. Names that are left out have their default.',
    }),
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

/** All problems as one error, the first on its first line and a line for each other, with what to do. */
export function settingsError(problems: readonly string[], of: { stack: string; file: string }): GateError {
  const [first, ...others] = problems;
  const more = others.length === 0 ? '' : `, and ${others.length} more:`;
  const lines = [`${of.file}: ${first}${more}`, ...others.map((problem) => `  ${problem}`)];
  const next = `set ${others.length === 0 ? 'it' : 'them'} with: pulumi config set --stack ${of.stack} KEY VALUE`;
  const message = others.length === 0 ? `${lines[0]}; ${next}` : [...lines, next].join('\n');
  return new GateError({ layer: 'settings', code: 'settings.invalid', message });
}

/** Every setting in its order, for documentation and for what must be given. */
export function settingsReference(): readonly (SettingDoc & { readonly key: string })[] {
  const schema = schemaFor({ projectFolder: '/', homeFolder: '/', stack: 'STACK' });
  return Object.entries(schema.shape).map(([key, field]) => ({ key: `raygate:${key}`, ...docOf(field) }));
}

/** The same as a table in Markdown: the README's. */
export function settingsTable(): string {
  const rows = settingsReference().map(
    (row) => `| \`${row.key}\` | ${row.values} | ${row.default ?? '(required)'} | ${row.meaning} |`,
  );
  return ['| setting | values | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function problemLine(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const [key, ...rest] = issue.path.map(String);
  const where = `raygate:${[key, ...rest].join('.')}`;
  if (key === undefined || key in given) return `${where} ${issue.message}`;
  const doc = settingsReference().find((row) => row.key === where);
  return `${where} is missing: give ${doc?.values} (${doc?.meaning.replace(/\.$/, '')})`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearMatch(key, known);
  return `raygate:${key} is no setting; ${near ? `did you mean raygate:${near}?` : `the settings are ${known.join(', ')}`}`;
}
