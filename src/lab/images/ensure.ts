import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { type Artifact, ensureArtifact, isMade, type Say, sweepArtifacts } from './artifact.js';
import { type ImageName, images, standardImages, withFoundations } from './catalog.js';
import { type DockerAddress, loadArchive, pruneBuildCache, storedKeys } from './dockerStore.js';
import { archiveName, imageArchive, resolveImage } from './imageArchive.js';
import { imageError } from './imageError.js';
import type { InputOptions } from './inputs.js';

export interface EnsureImagesOptions extends DockerAddress {
  /** The lab's cache of images: inputs and finished images, each named by its content. */
  readonly cacheFolder: string;
  /** The path of a binary of the lab's toolchain. */
  readonly binaries: (name: string) => string;
  readonly onProgress: Say;
}

export interface EnsuredImages {
  /** References that Docker's store did not hold as they should be, and which were put there. */
  readonly loaded: readonly string[];
  /** Of those, the ones that had to be built; the others came from the cache folder. */
  readonly built: readonly string[];
}

/**
 * Brings the named images (and what they stand on) into Docker's store as the project describes them. What is there already is
 * left alone; what the cache folder holds is loaded; only the rest is built. An image counts as present when its label names
 * the key of its inputs, so a changed Dockerfile, lock or binary makes a new one under the same reference.
 * @throws GateError of layer `lab`, in one line; a failed or killed run leaves nothing half-made.
 */
export async function ensureImages(
  options: EnsureImagesOptions,
  which: readonly ImageName[] = standardImages,
): Promise<EnsuredImages> {
  const { cacheFolder, onProgress: say } = options;
  const inputs = await openCache(options);
  const stored = await storedKeys(options).catch((error: unknown) => {
    throw imageError("reading the list of Docker's images", cacheFolder, error);
  });
  const keys = new Map<ImageName, string>();
  const loaded: string[] = [];
  const built: string[] = [];
  for (const name of withFoundations(which)) {
    const { reference } = images[name];
    const image = await resolveImage(name, foundationKeys(name, keys), inputs).catch((error: unknown) => {
      throw imageError(`reading what ${reference} is made from`, cacheFolder, error);
    });
    keys.set(name, image.key);
    if (stored.get(reference) === image.key) continue;
    if (await putIntoStore(imageArchive(image, options, inputs), reference, options)) built.push(reference);
    loaded.push(reference);
  }
  if (built.length > 0) {
    // What BuildKit keeps is of no more use: the contexts are in the cache folder, and on a new base nothing older fits. Should
    // it fail, only disk is lost.
    await pruneBuildCache(options, built.includes(images.python.reference) ? 'all' : 'contexts').catch(() => {});
  }
  say('');
  return { loaded, built };
}

/**
 * Makes what images need and Docker does not: root file systems, Ray's Python environment, the pause program; nothing of an image
 * that the cache holds already. Worth running beside the Go builds; {@link ensureImages} makes whatever is still missing.
 */
export async function prepareImageInputs(
  options: Pick<EnsureImagesOptions, 'cacheFolder' | 'onProgress'>,
  which: readonly ImageName[] = standardImages,
): Promise<void> {
  const binaries = (name: string): string => {
    throw new Error(`${name} is not there yet`);
  };
  const inputs = await openCache({ ...options, binaries });
  const keys = new Map<ImageName, string>();
  // One after the other: beside a Go build there is no third core.
  for (const name of withFoundations(which)) {
    if (images[name].inputs.some((input) => input.kind === 'binary')) continue;
    const image = await resolveImage(name, foundationKeys(name, keys), inputs);
    keys.set(name, image.key);
    if (await isMade(archiveFolder(options.cacheFolder), archiveName(image))) continue;
    for (const input of image.inputs) await input.prepare();
  }
  options.onProgress('');
}

function foundationKeys(name: ImageName, keys: ReadonlyMap<ImageName, string>): readonly string[] {
  return images[name].standsOn.map((below) => {
    const key = keys.get(below);
    if (key === undefined) throw new Error(`image ${name} stands on ${below}, which does not come before it`);
    return key;
  });
}

async function openCache(
  options: Pick<EnsureImagesOptions, 'cacheFolder' | 'binaries' | 'onProgress'>,
): Promise<InputOptions> {
  const folder = join(options.cacheFolder, 'inputs');
  for (const path of [folder, archiveFolder(options.cacheFolder)]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await sweepArtifacts(path);
  }
  return { folder, binaries: options.binaries, say: options.onProgress };
}

/** Returns whether the image had to be built. A cached archive that Docker refuses is damaged: it is built again, once. */
async function putIntoStore(archive: Artifact, reference: string, options: EnsureImagesOptions): Promise<boolean> {
  const folder = archiveFolder(options.cacheFolder);
  const say = options.onProgress;
  if (await isMade(folder, archive)) {
    const path = await ensureArtifact(folder, archive, say);
    try {
      await load(path, archive, reference, options);
      return false;
    } catch (error) {
      const problem = imageError(`loading the ${archive.what}`, folder, error);
      if (problem.code === 'lab.disk-full') throw problem;
      await rm(path, { force: true });
    }
  }
  const path = await ensureArtifact(folder, archive, say);
  await load(path, archive, reference, options).catch((error: unknown) => {
    throw imageError(`loading the ${archive.what}`, folder, error);
  });
  return true;
}

async function load(path: string, archive: Artifact, reference: string, options: EnsureImagesOptions): Promise<void> {
  options.onProgress(`loading ${reference}`);
  await loadArchive(options, path);
  const key = (await storedKeys(options)).get(reference);
  if (key === archive.key) return;
  throw new GateError({
    layer: 'lab',
    code: 'lab.image-not-stored',
    message: `Docker loaded ${reference} but its store shows ${key === undefined ? 'no image of the lab' : `key ${key}`} under that name, not key ${archive.key}: run it again`,
    retryable: true,
  });
}

function archiveFolder(cacheFolder: string): string {
  return join(cacheFolder, 'archives');
}
