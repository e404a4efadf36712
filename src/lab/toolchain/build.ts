import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import type { Progress } from '../../core/progress.js';
import { fileExists } from '../../host/fileExists.js';
import { run } from '../../host/process.js';
import { writeWhole } from '../../host/wholeFile.js';
import { moduleFiles, moduleFolder, toolchainFolder, unitKey } from './goModule.js';
import { buildFolderPrefix, sweepBuilds } from './leftBuilds.js';
import { type BuildUnit, kubernetesProviderVersion, type UnitName, units } from './units.js';

const buildLimitSeconds = 3600;

export interface BuildOptions {
  readonly binFolder: string;
  readonly go: string;
  readonly progress: Progress;
}

/** Where a unit's binaries stand, or will stand: a folder named by the unit and its key. */
export async function unitFolder(name: UnitName, options: Pick<BuildOptions, 'binFolder' | 'go'>): Promise<string> {
  return join(options.binFolder, `${units[name].name}-${await unitKey(units[name], options.go)}`);
}

/** True when the unit's folder stands: it is renamed into place whole, so its presence says that the build was complete. */
export async function isBuilt(name: UnitName, options: Pick<BuildOptions, 'binFolder' | 'go'>): Promise<boolean> {
  return fileExists(await unitFolder(name, options));
}

/**
 * Builds what is missing, one unit at a time (two big builds at once gain nothing), while the modules of the units behind
 * are downloaded. Returns each unit's folder. A killed build leaves only a temporary folder, which the next one removes.
 */
export async function buildUnits(
  names: readonly UnitName[],
  options: BuildOptions,
): Promise<ReadonlyMap<UnitName, string>> {
  const missing: UnitName[] = [];
  for (const name of names) if (!(await isBuilt(name, options))) missing.push(name);
  await mkdir(options.binFolder, { recursive: true });
  await sweepBuilds(options.binFolder);
  const downloads = missing
    .slice(1)
    .reduce((before, name) => before.then(() => download(units[name])), Promise.resolve());
  for (const [index, name] of missing.entries()) {
    const activity = `lab/build ${units[name].name}`;
    options.progress(activity, `compiling, ${index + 1} of ${missing.length} to build`);
    await build(units[name], await unitFolder(name, options), options.binFolder);
    options.progress(activity, '');
  }
  await downloads;
  return new Map(await Promise.all(names.map(async (name) => [name, await unitFolder(name, options)] as const)));
}

/** Fetches a unit's modules ahead of its build. A failure here is not one: the build itself will say what is missing. */
async function download(unit: BuildUnit): Promise<void> {
  const packages = unit.packages.filter((path) => path !== '.');
  if (packages.length === 0) return;
  const folder = join(toolchainFolder, unit.module);
  await run({ file: 'go', argv: ['list', '-deps', ...packages], cwd: folder, timeoutSeconds: buildLimitSeconds }).catch(
    () => {},
  );
}

async function build(unit: BuildUnit, target: string, binFolder: string): Promise<void> {
  const work = await mkdtemp(join(binFolder, `${buildFolderPrefix}${unit.name}-`));
  try {
    const source = join(work, 'source');
    const out = join(work, 'out');
    // Go's own scratch too, so that nothing of a killed build lies elsewhere.
    const scratch = join(work, 'scratch');
    for (const folder of [source, out, scratch]) await mkdir(folder);
    for (const [name, content] of await moduleFiles(unit.module)) await writeWhole(join(source, name), content);
    if (unit.embeds) await layEmbeds(unit, source);
    await run({
      file: 'go',
      argv: [
        'build',
        '-trimpath',
        ...(unit.tags ? ['-tags', unit.tags.join(',')] : []),
        ...(unit.compilerFlags ?? []).flatMap((flag) => ['-gcflags', flag]),
        '-ldflags',
        ['-s', '-w', ...(unit.linkerFlags ?? [])].join(' '),
        '-o',
        `${out}/`,
        ...unit.packages,
      ],
      cwd: source,
      env: {
        ...process.env,
        CGO_ENABLED: unit.cgo ? '1' : '0',
        GOFLAGS: '-mod=readonly -buildvcs=false',
        GOTMPDIR: scratch,
      },
      timeoutSeconds: buildLimitSeconds,
    });
    for (const [built, name] of Object.entries(unit.binaries)) {
      if (built !== name) await rename(join(out, built), join(out, name));
    }
    await rename(out, target);
  } catch (error) {
    throw new GateError({
      layer: 'lab',
      code: 'lab.build-failed',
      message: `building ${unit.name} failed: ${error instanceof Error ? error.message : String(error)}`,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function layEmbeds(unit: BuildUnit, source: string): Promise<void> {
  if (!unit.embeds) return;
  const folder = await moduleFolder(unit.module, unit.embeds.module);
  for (const file of unit.embeds.files) {
    const target = join(source, basename(file));
    if (basename(file) !== 'schema.json') {
      await copyFile(join(folder, file), target);
      continue;
    }
    // The schema in the module has no version; the engine asks the provider for one.
    const schema = JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, unknown>;
    await writeFile(target, JSON.stringify({ ...schema, version: kubernetesProviderVersion }));
  }
}
