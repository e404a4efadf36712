import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

export interface FakeDockerStore {
  /** `unix://…` */
  readonly dockerHost: string;
  /** Whether the daemon's own disk takes no image. */
  setFull(full: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * A `docker`, first on PATH, that writes archives of `archiveBytes` where it is told to build them and loads them into a store, and
 * the socket that lists that store. What it writes it really writes: a full disk is the disk's own word.
 */
export async function fakeDockerStore(folder: string, archiveBytes: number): Promise<FakeDockerStore> {
  await mkdir(folder, { recursive: true });
  const [socket, store, full] = [join(folder, 'docker.sock'), join(folder, 'store.json'), join(folder, 'full')];
  await writeFile(store, '[]');
  await writeFile(join(folder, 'docker'), program({ store, full, archiveBytes }));
  await chmod(join(folder, 'docker'), 0o755);
  const server = createServer((_, answer) => {
    void readFile(store).then((content) => answer.end(content));
  });
  await listening(server, socket);
  const path = process.env['PATH'];
  process.env['PATH'] = `${folder}:${path}`;
  return {
    dockerHost: `unix://${socket}`,
    setFull: (isFull) => writeFile(full, isFull ? 'yes' : ''),
    close: async () => {
      process.env['PATH'] = path;
      await new Promise((closed) => server.close(closed));
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((done, failed) => server.once('error', failed).listen(path, done));
}

/** The archive begins with what `docker images` would show of it. */
const program = (given: { store: string; full: string; archiveBytes: number }) => `#!${process.execPath}
const { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } = require('node:fs');
const { store, full, archiveBytes } = ${JSON.stringify(given)};
const after = (name) => process.argv[process.argv.indexOf(name) + 1];
const end = (line) => { console.error(line); process.exit(1); };
const verb = process.argv.slice(4).slice(0, 2).join(' ');
if (verb === 'buildx build') {
  const [label, key] = after('--label').split('=');
  const shown = JSON.stringify({ RepoTags: [after('--tag')], Labels: { [label]: key } });
  const file = openSync(/"dest=([^"]*)"/.exec(after('--output'))[1], 'w');
  console.error('#1 [1/1] COPY pause /pause');
  try {
    writeSync(file, shown.padEnd(1024));
    const chunk = Buffer.alloc(65536, 1);
    for (let left = archiveBytes; left > 0; ) left -= writeSync(file, chunk);
    closeSync(file);
  } catch (error) {
    end('ERROR: failed to copy: write: ' + (error.code === 'ENOSPC' ? 'no space left on device' : error.code));
  }
} else if (verb.startsWith('load')) {
  if (existsSync(full) && readFileSync(full, 'utf8') === 'yes') end('Error response from daemon: write /blobs/sha256: no space left on device');
  const shown = JSON.parse(readFileSync(after('--input')).subarray(0, 1024).toString());
  writeFileSync(store, JSON.stringify([...JSON.parse(readFileSync(store, 'utf8')), shown]));
} else if (verb !== 'buildx prune') end('unknown: ' + verb);
`;
