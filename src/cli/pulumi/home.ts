import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileExists } from '../../host/fileExists.js';
import { writeWhole } from '../../host/wholeFile.js';
import { kubernetesProviderVersion } from '../../lab/toolchain/units.js';
import { projectFolder } from '../projectFolder.js';
import { placeProgram } from './placeProgram.js';

/** The dynamic provider is a script of the npm package, which finds the package from wherever it runs: off PATH, every `up` would try to download one. */
const dynamicProvider = 'pulumi-resource-pulumi-nodejs';
const sdkFolder = join(projectFolder, 'node_modules', '@pulumi', 'pulumi');

/** Pulumi, set apart from the user's own: a home, a file backend and a passphrase of raygate's, and where its programs are. */
export interface PulumiHome {
  readonly folder: string;
  /** Where `pulumi` and its language host are, if they are ours. */
  readonly programFolder: string;
  /** What a plain `pulumi` needs in its environment to see the same stacks. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Paths of programs that were built for us. */
export interface PulumiPrograms {
  readonly pulumi: string;
  readonly languageHost: string;
  readonly kubernetesProvider: string;
}

/**
 * Lays what is missing under `folder` (0700) and returns the environment. Without programs those on PATH are used, and Pulumi
 * finds or downloads its own provider. Safe to repeat.
 */
export async function ensurePulumiHome(folder: string, programs: PulumiPrograms | undefined): Promise<PulumiHome> {
  const home = join(folder, 'home');
  const backend = join(folder, 'backend');
  const programFolder = join(folder, 'bin');
  const passphraseFile = join(folder, 'passphrase');
  for (const each of [home, backend, programFolder]) await mkdir(each, { recursive: true, mode: 0o700 });
  if (!(await fileExists(passphraseFile))) await writeWhole(passphraseFile, randomBytes(32).toString('base64url'));
  if (programs) {
    // Pulumi warns of each plugin on PATH that is not the one beside its own file (3.215): so all lie in one folder, itself no link.
    await placeProgram(programs.pulumi, join(programFolder, 'pulumi'));
    await writeWhole(
      join(programFolder, dynamicProvider),
      await readFile(join(sdkFolder, dynamicProvider), 'utf8'),
      0o700,
    );
    await link(programs.languageHost, join(programFolder, 'pulumi-language-nodejs'));
    // A provider found on PATH makes Pulumi warn at each run; one in its plugin folder does not.
    const plugin = join(home, 'plugins', `resource-kubernetes-v${kubernetesProviderVersion}`);
    await mkdir(plugin, { recursive: true });
    await link(programs.kubernetesProvider, join(plugin, 'pulumi-resource-kubernetes'));
  }
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''];
  return {
    folder,
    programFolder,
    environment: {
      // The user's own `pulumi` has a dynamic provider beside it, which it wants; the npm package's is for one that has none.
      PATH: programs ? [programFolder, ...path].join(delimiter) : [...path, sdkFolder].join(delimiter),
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      ...(programs ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true' } : {}),
    },
  };
}

async function link(target: string, path: string): Promise<void> {
  if ((await readlink(path).catch(() => undefined)) === target) return;
  await rm(path, { force: true });
  await symlink(target, path);
}
