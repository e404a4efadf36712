import { mkdir, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileExists } from '../../host/fileExists.js';
import { run } from '../../host/process.js';
import { imageError } from './imageError.js';

/** A file of the cache, named by what went into it. It stands whole or not at all. */
export interface Artifact {
  readonly name: string;
  readonly extension: string;
  /** For people: `root file system of python from Debian trixie`. */
  readonly what: string;
  readonly key: string;
  /** Writes `target`, and whatever else it needs into `workFolder`, which is removed afterwards. */
  readonly make: (target: string, workFolder: string) => Promise<void>;
}

type ArtifactName = Pick<Artifact, 'name' | 'key' | 'extension'>;

export type Say = (line: string) => void;

const unfinished = '.making-';
const keepUnusedDays = 30;
const inFlight = new Map<string, Promise<string>>();

export function artifactPath(folder: string, artifact: ArtifactName): string {
  return join(folder, `${artifact.name}-${artifact.key}.${artifact.extension}`);
}

/** True when the artifact stands. Marks it as used, for {@link sweepArtifacts}. */
export async function isMade(folder: string, artifact: ArtifactName): Promise<boolean> {
  const now = new Date();
  return utimes(artifactPath(folder, artifact), now, now).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the artifact's path, making it first when it is missing. Two callers of one process share one making; two
 * processes each make their own, and the last one's rename wins, with the same content.
 * @throws GateError of layer `lab`; nothing is left behind.
 */
export function ensureArtifact(folder: string, artifact: Artifact, say: Say): Promise<string> {
  const path = artifactPath(folder, artifact);
  const running = inFlight.get(path);
  if (running) return running;
  const making = makeOnce(folder, path, artifact, say).finally(() => inFlight.delete(path));
  inFlight.set(path, making);
  return making;
}

async function makeOnce(folder: string, path: string, artifact: Artifact, say: Say): Promise<string> {
  if (await isMade(folder, artifact)) return path;
  const work = join(folder, `${unfinished}${process.pid}-${basename(path)}`);
  say(`making the ${artifact.what}`);
  try {
    await mkdir(work, { recursive: true, mode: 0o700 });
    const target = join(work, basename(path));
    await artifact.make(target, work);
    if ((await stat(target)).size === 0) throw new Error(`${basename(path)} came out empty`);
    await rename(target, path);
    return path;
  } catch (error) {
    throw imageError(`making the ${artifact.what}`, folder, error, await freeBytes(folder));
  } finally {
    await removeTree(work);
  }
}

/** Removes what killed runs left behind, and finished files that nobody used for 30 days. */
export async function sweepArtifacts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const oldest = Date.now() - keepUnusedDays * 24 * 3600 * 1000;
  for (const name of names) {
    const path = join(folder, name);
    const pid = name.startsWith(unfinished) ? Number.parseInt(name.slice(unfinished.length), 10) : undefined;
    if (pid !== undefined) {
      if (!(await fileExists(`/proc/${pid}`))) await removeTree(path);
    } else if ((await stat(path)).mtimeMs < oldest) {
      await rm(path, { force: true });
    }
  }
}

/** Stays on one file system: a killed mmdebstrap may have left the machine's /dev mounted below. */
async function removeTree(path: string): Promise<void> {
  await run({ file: 'rm', argv: ['-rf', '--one-file-system', '--', path], timeoutSeconds: 300 }).catch(() => {});
}

async function freeBytes(folder: string): Promise<number | undefined> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}
