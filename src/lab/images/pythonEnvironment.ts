import { createHash } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../host/process.js';
import { type Artifact, ensureArtifact, type Say } from './artifact.js';
import { hashParts } from './contentKey.js';
import { readMachineFiles } from './machineFiles.js';
import { buildEpochSeconds, imageFolder, readImageFile, toolEnvironment } from './places.js';
import { type RootFilesystemName, rootFilesystem } from './rootFilesystems.js';

const makeLimitSeconds = 1800;
const lock = 'ray/requirements.lock';
const script = 'ray/build-venv.sh';
/** User and group of the upstream Ray image. */
const owner = { uid: 1000, gid: 100 } as const;

/**
 * The virtual environment of the Ray image as a tar, made inside the root file system that it will run in and before there is
 * a Docker daemon. It holds what the lock's hashes say, wherever it was downloaded from, so the key needs no address.
 */
export async function pythonEnvironment(on: RootFilesystemName, folder: string, say: Say): Promise<Artifact> {
  const base = await rootFilesystem(on);
  const contents = await Promise.all([lock, script].map((file) => readImageFile(file)));
  return {
    name: 'ray-venv',
    extension: 'tar',
    what: 'Python environment of Ray',
    key: hashParts(createHash('sha256'), [base.key, JSON.stringify(owner), ...contents]),
    make: async (target, workFolder) => makeEnvironment(await ensureArtifact(folder, base, say), target, workFolder),
  };
}

async function makeEnvironment(rootTar: string, target: string, workFolder: string): Promise<void> {
  const root = join(workFolder, 'root');
  const environment = toolEnvironment({ SOURCE_DATE_EPOCH: String(buildEpochSeconds) });
  const step = (file: string, argv: readonly string[]) =>
    run({ file, argv, env: environment, timeoutSeconds: makeLimitSeconds });
  await mkdir(join(root, 'build'), { recursive: true });
  await step('tar', ['--extract', '--numeric-owner', '--directory', root, '--file', rootTar]);
  await (await readMachineFiles()).layBelow(root);
  await copyFile('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  await copyFile(imageFolder(lock), join(root, 'build/requirements.lock'));
  await copyFile(imageFolder(script), join(root, 'build/build-venv.sh'));
  // Its own mount and process name space: /proc is there, and nothing of it outlives the command.
  await step('unshare', [
    ...['--mount', '--pid', '--fork', '--kill-child', `--root=${root}`, '--mount-proc', '--wd=/'],
    ...['/bin/sh', '/build/build-venv.sh'],
  ]);
  await step('tar', [
    ...['--create', '--sort=name', '--numeric-owner', `--owner=${owner.uid}`, `--group=${owner.gid}`],
    ...[`--mtime=@${buildEpochSeconds}`, '--directory', root, '--file', target, 'home/ray'],
  ]);
}
