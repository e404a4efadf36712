/** A line of Pulumi's own, or of our program through it, read for whoever watches `npm start`. */
export type Heard =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly message: string }
  /** What a row waits for; empty when it has ended. */
  | { readonly kind: 'progress'; readonly row: string; readonly waitingFor: string }
  | { readonly kind: 'line'; readonly line: string };

export interface Diagnostic {
  /** `debug`, `info`, `info#err`, `warning` or `error`. */
  readonly severity: string;
  readonly message: string;
  readonly urn?: string;
  readonly ephemeral?: boolean;
}

/** Says where a program lies that we laid there, or that the user chose to install: nothing that a user of the command can mend. */
const ambientPlugin = /^using pulumi-\S+ from \$PATH at /;

export function readDiagnostic({ severity, message, urn, ephemeral }: Diagnostic): Heard {
  const text = plain(message);
  // The engine sends its debug lines too, whole resources in them, whatever the SDK's type says.
  if (text === '' || severity === 'debug') return { kind: 'nothing' };
  if (severity === 'error') return { kind: 'error', message: text };
  if (ambientPlugin.test(text)) return { kind: 'nothing' };
  const [, layer, rest = ''] = /^\[([a-z-]+)\] (.*)/.exec(text) ?? [];
  if (layer !== undefined) return { kind: 'progress', row: layer, waitingFor: rest.startsWith('passed') ? '' : rest };
  const row = urn ? rowName(urn) : 'pulumi';
  if (ephemeral) return { kind: 'progress', row, waitingFor: text.split('\n').at(-1) ?? '' };
  return { kind: 'line', line: `${row}: ${text}` };
}

/** `urn:pulumi:lab::raygate::…Step::ray` -> `ray`. */
export function rowName(urn: string): string {
  return urn.split('::').at(-1) ?? urn;
}

/** Without colours, as terminals and as Pulumi write them. */
export function plain(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return message.replace(/\x1b\[[0-9;]*m|<\{%[^%]*%\}>/g, '').trim();
}
