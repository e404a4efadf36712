import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A `docker` that knows images by reference and their Id, laid in `folder`. Returns what puts PATH back. */
export async function fakeDocker(folder: string, ids: Readonly<Record<string, string>>): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  const script = `#!${process.execPath}
const ids = ${JSON.stringify(ids)}; const reference = process.argv.at(-1);
if (!(reference in ids)) { console.error('Error response from daemon: No such image: ' + reference); process.exit(1); }
console.log(JSON.stringify([{ Id: ids[reference], RepoTags: [reference], Size: 1, Config: { Labels: {} } }]));
`;
  await writeFile(join(folder, 'docker'), script);
  await chmod(join(folder, 'docker'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before}`;
  return () => {
    process.env['PATH'] = before;
  };
}
