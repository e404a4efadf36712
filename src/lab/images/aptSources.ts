import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { run } from '../../host/process.js';

export interface SourcesFile {
  readonly name: string;
  readonly content: string;
}

/** Where the machine itself gets Debian from. */
export interface DebianMirrors {
  readonly main: string;
  readonly security: string | undefined;
}

const releases = new Set([
  'bullseye',
  'bookworm',
  'trixie',
  'forky',
  'oldstable',
  'stable',
  'testing',
  'sid',
  'unstable',
]);
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** The sources.list lines of a Debian suite on the machine's own mirrors. */
export async function readMirrorLines(suite: string): Promise<readonly string[]> {
  const mirrors = findDebianMirrors(await readSources('/etc/apt'));
  if (!mirrors) {
    throw new GateError({
      layer: 'lab',
      code: 'lab.no-debian-mirror',
      message:
        'no Debian mirror is in /etc/apt/sources.list or /etc/apt/sources.list.d: the lab makes its images from the packages of the one that is there; add one',
    });
  }
  return mirrorLines(mirrors, suite);
}

export function mirrorLines(mirrors: DebianMirrors, suite: string): readonly string[] {
  const line = (uri: string, name: string) => `deb [signed-by=${keyring}] ${uri} ${name} main`;
  return [
    line(mirrors.main, suite),
    line(mirrors.main, `${suite}-updates`),
    ...(mirrors.security ? [line(mirrors.security, `${suite}-security`)] : []),
  ];
}

/** The first http(s) or file mirror of a Debian release with component main, and the first one of its security updates. */
export function findDebianMirrors(files: readonly SourcesFile[]): DebianMirrors | undefined {
  const sources = files
    .flatMap(({ name, content }) => (name.endsWith('.sources') ? parseStanzas(content) : parseLines(content)))
    .filter((source) => /^(https?|file):/.test(source.uri) && source.components.includes('main'));
  const main = sources.find((source) => source.suites.some((suite) => releases.has(suite)));
  const security = sources.find((source) =>
    source.suites.some(
      (suite) => /-security$|\/updates$/.test(suite) && releases.has(suite.replace(/-security$|\/updates$/, '')),
    ),
  );
  return main && { main: main.uri, security: security?.uri };
}

interface Source {
  readonly uri: string;
  readonly suites: readonly string[];
  readonly components: readonly string[];
}

/** deb822: stanzas between blank lines, `Field: value`, continued by indented lines. */
function parseStanzas(content: string): readonly Source[] {
  const withoutComments = content.split('\n').filter((line) => !line.startsWith('#'));
  return withoutComments
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((stanza) => {
      const fields = new Map<string, string[]>();
      for (const line of stanza.replace(/\n[ \t]+/g, ' ').split('\n')) {
        const field = /^([A-Za-z-]+):(.*)$/.exec(line);
        if (field) fields.set((field[1] ?? '').toLowerCase(), words(field[2] ?? ''));
      }
      const get = (name: string) => fields.get(name) ?? [];
      if (!get('types').includes('deb') || get('enabled')[0] === 'no') return [];
      return get('uris').map((uri) => ({ uri, suites: get('suites'), components: get('components') }));
    });
}

/** One line each: `deb [options] URI suite component…`. */
function parseLines(content: string): readonly Source[] {
  return content.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line);
    return match ? [{ uri: match[1] ?? '', suites: [match[2] ?? ''], components: words(match[3] ?? '') }] : [];
  });
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

async function readSources(folder: string): Promise<readonly SourcesFile[]> {
  const parts = (await readdir(join(folder, 'sources.list.d')).catch(() => [] as string[])).filter((name) =>
    /\.(sources|list)$/.test(name),
  );
  const names = ['sources.list', ...parts.sort().map((name) => join('sources.list.d', name))];
  const files = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(folder, name), 'utf8').catch(() => '') })),
  );
  return files;
}

/** The machine's own apt proxies and certificates, as a file for `--aptopt`; none when it has none. */
export async function aptOptions(workFolder: string): Promise<readonly string[]> {
  const { stdout } = await run({ file: 'apt-config', argv: ['dump'], timeoutSeconds: 30 });
  const lines = stdout
    .split('\n')
    .filter((line) => /^Acquire::https?::(Proxy|CaInfo|CaPath|SslCert|SslKey|Verify-)[^ ]* "[^"]+";$/.test(line));
  if (lines.length === 0) return [];
  const path = join(workFolder, 'apt.conf');
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [path];
}
