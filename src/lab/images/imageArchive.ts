import { createHash } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from './artifact.js';
import { type ImageName, images } from './catalog.js';
import { hashFolder, hashParts } from './contentKey.js';
import { buildArchive, type DockerAddress } from './dockerStore.js';
import { type InputOptions, type ResolvedInput, resolveInput } from './inputs.js';
import { buildEpochSeconds, imageFolder } from './places.js';

/** Raised when the way of building changes what comes out. */
const builderRevision = '1';

/** An image whose content is known by a key before it is built. */
export interface ResolvedImage {
  readonly name: ImageName;
  readonly key: string;
  readonly inputs: readonly ResolvedInput[];
}

/**
 * The key covers the folder with the Dockerfile, every input, the images it stands on (`foundationKeys`) and the machine's
 * architecture. It does not cover the versions of Docker and BuildKit.
 */
export async function resolveImage(
  name: ImageName,
  foundationKeys: readonly string[],
  options: InputOptions,
): Promise<ResolvedImage> {
  const { reference, inputs: described } = images[name];
  const inputs = await Promise.all(described.map((input) => resolveInput(name, input, options)));
  const key = hashParts(createHash('sha256'), [
    builderRevision,
    process.arch,
    reference,
    await hashFolder(imageFolder(name)),
    ...inputs.map((input) => input.key),
    ...foundationKeys,
  ]);
  return { name, key, inputs };
}

/** The image as a docker archive of the cache. */
export function imageArchive(
  { name, key, inputs }: ResolvedImage,
  docker: DockerAddress,
  options: InputOptions,
): Artifact {
  const { reference } = images[name];
  return {
    ...archiveName({ name, key }),
    what: `image ${reference}`,
    make: async (archive, workFolder) => {
      const contextFolder = join(workFolder, 'context');
      await mkdir(contextFolder, { recursive: true });
      await cp(imageFolder(name), contextFolder, { recursive: true });
      for (const input of inputs) await input.layInto(contextFolder);
      await buildArchive(docker, {
        reference,
        key,
        contextFolder,
        archive,
        epochSeconds: buildEpochSeconds,
        onLine: (line) => reportStep(line, reference, options),
      });
    },
  };
}

export function archiveName({
  name,
  key,
}: Pick<ResolvedImage, 'name' | 'key'>): Pick<Artifact, 'name' | 'key' | 'extension'> {
  return { name, key, extension: 'image.tar' };
}

/** BuildKit's plain lines `#7 [2/3] RUN …` and `#9 exporting layers`, without their numbers. */
function reportStep(line: string, reference: string, { say }: InputOptions): void {
  const step = /^#\d+ (\[.*|exporting layers|rewriting layers|sending tarball)/.exec(line)?.[1];
  if (step && !step.startsWith('[internal]')) say(`building ${reference}: ${step.slice(0, 80)}`);
}
