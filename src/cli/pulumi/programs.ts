import { delimiter, join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import type { Progress } from '../../core/progress.js';
import { fileExists } from '../../host/fileExists.js';
import { binaryLookup } from '../../lab/context.js';
import { withLabLock } from '../../lab/lock.js';
import type { LabPaths } from '../../lab/paths.js';
import { buildUnits } from '../../lab/toolchain/build.js';
import { goVersion } from '../../lab/toolchain/goModule.js';
import { pulumiUnits } from '../../lab/toolchain/units.js';
import type { PulumiPrograms } from './home.js';

/** Pulumi's programs, built from their Go modules in the versions that the project was seen running with. */
export async function builtPulumi(paths: LabPaths, progress: Progress): Promise<PulumiPrograms> {
  const go = await goVersion();
  const folders = await withLabLock(
    `${paths.runFolder}/pulumi`,
    'building Pulumi',
    () => buildUnits(pulumiUnits, { binFolder: paths.binFolder, go, progress }),
    { onWait: (holder) => progress('lab/build pulumi', `waiting for ${holder}`) },
  );
  progress('lab/build pulumi', '');
  const binary = binaryLookup(folders);
  return {
    pulumi: binary('pulumi'),
    languageHost: binary('pulumi-language-nodejs'),
    kubernetesProvider: binary('pulumi-resource-kubernetes'),
  };
}

/** On a user's own cluster: the user's `pulumi` when there is one, else ours, built. */
export async function installedOrBuiltPulumi(paths: LabPaths, progress: Progress): Promise<PulumiPrograms | undefined> {
  if (await onPath('pulumi')) return undefined;
  try {
    return await builtPulumi(paths, progress);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'lab.go-missing') throw error;
    throw new GateError({
      layer: 'preflight',
      code: 'preflight.pulumi-missing',
      message: 'there is no pulumi on PATH, and no Go >= 1.26 to build one with: install either, then try again',
    });
  }
}

async function onPath(program: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const there = await fileExists(join(folder, program));
    if (there) return true;
  }
  return false;
}
