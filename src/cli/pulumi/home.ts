import { randomBytes } from 'node:crypto';
import { access, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../host/wholeFile.js';
import { kubernetesProviderVersion } from '../../lab/toolchain/units.js';
import { projectFolder } from '../projectFolder.js';

/** Pulumi, set apart from the user's own: a home, a file backend and a passphrase of raygate's, and where its programs are. */
export interface PulumiHome {
  readonly folder: string;
  /** What a plain `pulumi` needs in its environment to see the same stacks. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface PulumiPrograms {
  /** Folders of the CLI and of the Node language host; undefined: those on PATH. */
  readonly programFolders: readonly string[];
  /** The Kubernetes provider; undefined: Pulumi finds or downloads its own. */
  readonly kubernetesProvider: string | undefined;
}

/** Lays what is missing under `folder` (0700) and returns the environment. Safe to repeat. */
export async function ensurePulumiHome(folder: string, programs: PulumiPrograms): Promise<PulumiHome> {
  const home = join(folder, 'home');
  const backend = join(folder, 'backend');
  const passphraseFile = join(folder, 'passphrase');
  await mkdir(backend, { recursive: true, mode: 0o700 });
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (!(await exists(passphraseFile))) await writeWhole(passphraseFile, randomBytes(32).toString('base64url'));
  if (programs.kubernetesProvider !== undefined) await layProvider(home, programs.kubernetesProvider);
  // The dynamic provider is a script of the npm package: off PATH, every `up` would try to download one.
  const dynamicProvider = join(projectFolder, 'node_modules', '@pulumi', 'pulumi');
  const path = [...programs.programFolders, dynamicProvider, dirname(process.execPath), process.env['PATH'] ?? ''].join(
    ':',
  );
  return {
    folder,
    environment: {
      PATH: path,
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      ...(programs.kubernetesProvider === undefined ? {} : { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true' }),
    },
  };
}

/** A provider found on PATH makes Pulumi warn at each run; one in its plugin folder does not. */
async function layProvider(home: string, provider: string): Promise<void> {
  const plugin = join(home, 'plugins', `resource-kubernetes-v${kubernetesProviderVersion}`);
  const link = join(plugin, 'pulumi-resource-kubernetes');
  if ((await readlink(link).catch(() => undefined)) === provider) return;
  await mkdir(plugin, { recursive: true });
  await rm(link, { force: true });
  await symlink(provider, link);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
