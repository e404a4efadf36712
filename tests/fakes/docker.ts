import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FakeDockerOptions {
  /** In every image's configuration. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What it says, and fails with, when it is asked for this reference. */
  readonly broken?: Readonly<Record<string, string>>;
}

/** Digest of the configuration that {@link fakeDocker} saves an image with. */
export function savedConfig(reference: string, labels: Readonly<Record<string, string>> = {}): string {
  return `sha256:${createHash('sha256').update(configOf(reference, labels)).digest('hex')}`;
}

/** A `docker` that knows images by reference and their Id, laid in `folder`. Returns what puts PATH back. */
export async function fakeDocker(
  folder: string,
  ids: Readonly<Record<string, string>>,
  { labels = {}, broken = {} }: FakeDockerOptions = {},
): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  const configs = Object.fromEntries(Object.keys(ids).map((reference) => [reference, configOf(reference, labels)]));
  const script = `#!${process.execPath}
const ids = ${JSON.stringify(ids)}; const reference = process.argv.at(-1); const broken = ${JSON.stringify(broken)};
if (reference in broken) { console.error(broken[reference]); process.exit(1); }
if (!(reference in ids)) { console.error('Error response from daemon: No such image: ' + reference); process.exit(1); }
if (process.argv.at(-2) === 'save') {
  const fs = require('node:fs');
  const config = ${JSON.stringify(configs)}[reference];
  const name = require('node:crypto').createHash('sha256').update(config).digest('hex') + '.json';
  const out = fs.mkdtempSync(${JSON.stringify(join(folder, 'save-'))});
  fs.writeFileSync(out + '/' + name, config);
  fs.writeFileSync(out + '/manifest.json', JSON.stringify([{ Config: name }]));
  process.stdout.write(require('node:child_process').execFileSync('tar', ['-cf', '-', '-C', out, 'manifest.json', name]));
} else {
  console.log(JSON.stringify([{ Id: ids[reference], RepoTags: [reference], Size: 1, Config: { Labels: ${JSON.stringify(labels)} } }]));
}
`;
  await writeFile(join(folder, 'docker'), script);
  await chmod(join(folder, 'docker'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before}`;
  return () => {
    process.env['PATH'] = before;
  };
}

function configOf(reference: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify({ made: reference, config: { Labels: labels } });
}
