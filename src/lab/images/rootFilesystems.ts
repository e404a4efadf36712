import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../host/process.js';
import { aptOptions, readMirrorLines } from './aptSources.js';
import type { Artifact } from './artifact.js';
import { hashParts } from './contentKey.js';
import { buildEpochSeconds, imageFolder, readImageFile, toolEnvironment } from './places.js';

export type RootFilesystemName = 'busybox' | 'python' | 'postgres' | 'prometheus';

/** One mmdebstrap of Debian trixie. Hooks and dpkg options are files of `lab/images`. */
interface Recipe {
  /** `minbase`: a small Debian that runs. `extract`: the packages' files and nothing else. */
  readonly variant: 'minbase' | 'extract';
  readonly packages: readonly string[];
  readonly dpkgOptions?: readonly string[];
  /** Runs before the packages are configured. */
  readonly essentialHook?: string;
}

const suite = 'trixie';
const forgetMachine = 'forget-machine.sh';
const slim = 'slim.dpkg.cfg';
const makeLimitSeconds = 1800;

const recipes: Readonly<Record<RootFilesystemName, Recipe>> = {
  busybox: { variant: 'extract', packages: ['busybox-static'] },
  prometheus: { variant: 'extract', packages: ['prometheus'] },
  python: {
    variant: 'minbase',
    // The upstream slim image has no wget, Ray's has: KubeRay 1.6.2 calls it in exec probes. Busybox's will not do, it tries
    // one address of `localhost` alone.
    packages: ['python3', 'python3-venv', 'python3-pip', 'ca-certificates', 'wget'],
    dpkgOptions: [slim],
  },
  postgres: {
    variant: 'minbase',
    packages: ['postgresql-17', 'libnss-wrapper'],
    dpkgOptions: [slim, 'postgres/slim.dpkg.cfg'],
    essentialHook: 'postgres/before-packages.sh',
  },
};

/**
 * A root file system as an uncompressed tar, device nodes included. The same packages give the same bytes (mmdebstrap 1.3.5 with
 * SOURCE_DATE_EPOCH). The key covers the recipe and its files, not the state of Debian's archive: a cached one stays as it is
 * until the recipe changes or the file is removed.
 */
export async function rootFilesystem(name: RootFilesystemName): Promise<Artifact> {
  const recipe = recipes[name];
  const files = [...(recipe.dpkgOptions ?? []), ...(recipe.essentialHook ? [recipe.essentialHook] : []), forgetMachine];
  const contents = await Promise.all(files.map((file) => readImageFile(file)));
  return {
    name: `${name}-rootfs`,
    extension: 'tar',
    what: `root file system of ${name} from Debian ${suite}`,
    key: hashParts(createHash('sha256'), [suite, process.arch, JSON.stringify(recipe), ...contents]),
    make: (target, workFolder) => debootstrap(recipe, target, workFolder),
  };
}

async function debootstrap(recipe: Recipe, target: string, workFolder: string): Promise<void> {
  const temporary = join(workFolder, 'tmp');
  await mkdir(temporary);
  const argv = [
    // Without it apt's reasons are swallowed: an error would say no more than that apt failed.
    '--verbose',
    '--format=tar',
    `--variant=${recipe.variant}`,
    `--include=${recipe.packages.join(',')}`,
    // The result is one file, renamed when it is whole: no package needs to reach the disk on its own.
    ...(recipe.variant === 'minbase' ? ['--dpkgopt=force-unsafe-io'] : []),
    ...(recipe.dpkgOptions ?? []).map((file) => `--dpkgopt=${imageFolder(file)}`),
    ...(await aptOptions(workFolder)).map((file) => `--aptopt=${file}`),
    ...(recipe.essentialHook ? [`--essential-hook=${imageFolder(recipe.essentialHook)}`] : []),
    `--customize-hook=${imageFolder(forgetMachine)}`,
    suite,
    target,
    // The sources come on stdin: an address may hold credentials.
    '-',
  ];
  await run({
    file: 'mmdebstrap',
    argv,
    input: `${(await readMirrorLines(suite)).join('\n')}\n`,
    env: toolEnvironment({ TMPDIR: temporary, SOURCE_DATE_EPOCH: String(buildEpochSeconds) }),
    timeoutSeconds: makeLimitSeconds,
  });
}
