import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FakeDockerOptions {
  /** In every image's configuration. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What it says, and fails with, when it is asked for this reference. */
  readonly broken?: Readonly<Record<string, string>>;
  /** What it lists, line by line; default: the images that it knows, and no volume. `broken.ls` fails it. */
  readonly images?: readonly object[];
  readonly volumes?: readonly object[];
}

/** Digest of the configuration that {@link fakeDocker} saves an image with. */
export function savedConfig(reference: string, labels: Readonly<Record<string, string>> = {}): string {
  return `sha256:${createHash('sha256').update(configOf(reference, labels)).digest('hex')}`;
}

/** A `docker` that knows images by reference and their Id, laid in `folder`. Returns what puts PATH back. */
export async function fakeDocker(
  folder: string,
  ids: Readonly<Record<string, string>>,
  { labels = {}, broken = {}, images, volumes = [] }: FakeDockerOptions = {},
): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  const known = Object.entries(ids).map(([reference, ID]) => {
    const [, Repository, Tag] = /^(.*):([^:]*)$/.exec(reference) ?? [];
    return { ID, Repository, Tag };
  });
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await writeFile(join(folder, 'image.ls'), lines(images ?? known));
  await writeFile(join(folder, 'volume.ls'), lines(volumes));
  for (const [i, [reference, Id]] of Object.entries(ids).entries()) {
    const config = configOf(reference, labels);
    const name = `${savedConfig(reference, labels).slice('sha256:'.length)}.json`;
    const inspected = [{ Id, RepoTags: [reference], Size: 1, Config: { Labels: labels } }];
    await mkdir(join(folder, `${i}`), { recursive: true });
    await writeFile(join(folder, `${i}.json`), JSON.stringify(inspected));
    await writeFile(join(folder, `${i}`, name), config);
    await writeFile(join(folder, `${i}`, 'manifest.json'), JSON.stringify([{ Config: name }]));
  }
  await writeFile(join(folder, 'docker'), script(folder, Object.keys(ids), broken));
  await chmod(join(folder, 'docker'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before}`;
  return () => {
    process.env['PATH'] = before;
  };
}

/** A shell's: it starts in a millisecond, where a machine at work lets Node wait for seconds. */
function script(folder: string, references: readonly string[], { ls, ...broken }: Readonly<Record<string, string>>) {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const fails = (text: string) => `echo ${quoted(text)} >&2; exit 1`;
  const list = (kind: string) => (ls === undefined ? `cat ${kind}.ls; exit` : fails(ls));
  return `#!/bin/sh
for last; do verb=$before; before=$last; done
cd ${quoted(folder)} || exit 1
case " $* " in
*' image ls '*) ${list('image')};;
*' volume ls '*) ${list('volume')};;
esac
case "$last" in
${Object.entries(broken)
  .map(([reference, text]) => `${quoted(reference)}) ${fails(text)};;\n`)
  .join('')}
${references.map((reference, i) => `${quoted(reference)}) image=${i};;\n`).join('')}
*) echo "Error response from daemon: No such image: $last" >&2; exit 1;;
esac
[ "$verb" = save ] || exec cat "$image.json"
cd "$image" && exec tar -cf - *
`;
}

function configOf(reference: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify({ made: reference, config: { Labels: labels } });
}
