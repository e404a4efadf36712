import { GateError } from '../../core/gateError.js';
import { isProcessFailure, run } from '../../host/process.js';

/** Where the bundle of {@link machineFiles} stands in every image that has Python. */
export const bundlePath = '/etc/ssl/certs/ca-certificates.crt';

/** What decides where packages come from. A local folder (`find-links`) is not in a container, so it is left out. */
const kept = ['index-url', 'extra-index-url', 'trusted-host', 'default-timeout', 'timeout', 'retries'] as const;

/** From the least to the most important, as pip reads them. `:env:` are the PIP_… variables. */
const sections = ['global', 'install', ':env:'] as const;

/** The machine's own pip settings: `name -> value` of `pip config list`, the most important one winning. */
export async function readPipSettings(): Promise<ReadonlyMap<string, string>> {
  const fromEnvironment = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('PIP_') && value ? [`:env:.${name.slice(4).toLowerCase().replaceAll('_', '-')}='${value}'`] : [],
  );
  // Without pip on the machine its variables still count.
  const listed = await run({ file: 'pip', argv: ['config', 'list'], timeoutSeconds: 60, sensitive: true }).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      if (isProcessFailure(error)) return '';
      throw error;
    },
  );
  return parsePipSettings([listed, ...fromEnvironment].join('\n'));
}

/** Reads lines of `pip config list`: `section.name='value'`, the value as Python writes a string. */
export function parsePipSettings(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, Map<string, string>>();
  for (const line of text.split('\n')) {
    const match = /^(:env:|[a-z]+)\.([a-z-]+)=(['"])(.*)\3\s*$/.exec(line);
    if (!match) continue;
    const [, section = '', name = '', , value = ''] = match;
    const values = found.get(section) ?? new Map<string, string>();
    found.set(section, values.set(name, value.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1').trim()));
  }
  return new Map(sections.flatMap((section) => [...(found.get(section) ?? [])]));
}

/**
 * The pip.conf of the images: the machine's index, and `bundlePath` for certificates when `hasBundle`.
 * @throws GateError `lab.pip-credentials`: whatever is in an image can be read by everyone who can run one.
 */
export function pipConfiguration(settings: ReadonlyMap<string, string>, hasBundle: boolean): string {
  const lines = kept.flatMap((name) => {
    const value = settings.get(name);
    if (value === undefined) return [];
    if (/:\/\/[^/\s]*@/.test(value)) {
      throw new GateError({
        layer: 'lab',
        code: 'lab.pip-credentials',
        message: `pip's ${name} on this machine holds credentials, and a lab image that holds them shows them to every pod: give pip an address without them (PIP_${name.toUpperCase().replaceAll('-', '_')})`,
      });
    }
    return [`${name} = ${value.split(/\s+/).join('\n    ')}`];
  });
  return ['[global]', ...(hasBundle ? [`cert = ${bundlePath}`] : []), ...lines, ''].join('\n');
}
