import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';

/** Where the bundle of certificate authorities stands in every image that has Python. */
export const bundlePath = '/etc/ssl/certs/ca-certificates.crt';

export type PipSettings = ReadonlyMap<string, string>;

/** What decides where packages come from. A local folder (`find-links`) is not in a container, so it is left out. */
const kept = ['index-url', 'extra-index-url', 'trusted-host', 'default-timeout', 'timeout', 'retries'] as const;

/**
 * The machine's own pip settings by name, as pip 25 finds them: files from the least to the most important, then the PIP_…
 * variables. The files are read without pip, which a bare machine has not got.
 */
export async function readPipSettings(environment: Readonly<Record<string, string | undefined>>): Promise<PipSettings> {
  const home = environment['HOME'] ?? '/root';
  const named = environment['PIP_CONFIG_FILE'];
  const paths = ['/etc/xdg/pip/pip.conf', '/etc/pip.conf', join(home, '.pip/pip.conf')].concat(
    join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'pip/pip.conf'),
    named ? [named] : [],
  );
  const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('PIP_') && value ? [[name.slice(4).toLowerCase().replaceAll('_', '-'), value] as const] : [],
  );
  return new Map([...contents.flatMap((content) => [...parsePipFile(content)]), ...variables]);
}

/** The settings that count for `pip install`: section [global], then [install]. A value may go on in indented lines. */
export function parsePipFile(content: string): PipSettings {
  const sections = new Map<string, Map<string, string>>();
  let section = '';
  let name = '';
  for (const line of content.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const header = /^\[([^\]]+)\]/.exec(line);
    const pair = /^([^\s:=][^:=]*?)\s*[:=]\s*(.*)$/.exec(line);
    const values = sections.get(section) ?? new Map<string, string>();
    sections.set(section, values);
    if (header) section = (header[1] ?? '').trim();
    else if (/^\s/.test(line)) values.set(name, `${values.get(name) ?? ''}\n${line.trim()}`.trim());
    else if (pair) {
      name = (pair[1] ?? '').toLowerCase().replaceAll('_', '-');
      values.set(name, (pair[2] ?? '').trim());
    }
  }
  return new Map(['global', 'install'].flatMap((wanted) => [...(sections.get(wanted) ?? [])]));
}

/**
 * The pip.conf of the images: the machine's index, and `bundlePath` for certificates when `hasBundle`.
 * @throws GateError `lab.pip-credentials`: whatever is in an image can be read by everyone who can run one.
 */
export function pipConfiguration(settings: PipSettings, hasBundle: boolean): string {
  const lines = kept.flatMap((name) => {
    const value = settings.get(name);
    if (!value) return [];
    if (/:\/\/[^/\s]*@/.test(value)) {
      throw new GateError({
        layer: 'lab',
        code: 'lab.pip-credentials',
        message: `pip's ${name} on this machine holds credentials, and an image of the lab that held them would show them to every pod: set PIP_${name.toUpperCase().replaceAll('-', '_')} to an address without them`,
      });
    }
    return [`${name} = ${value.split(/\s+/).join('\n    ')}`];
  });
  return ['[global]', ...(hasBundle ? [`cert = ${bundlePath}`] : []), ...lines, ''].join('\n');
}
