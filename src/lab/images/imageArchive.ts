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

/**
 * An image as a docker archive. Its key covers the folder with the Dockerfile, every input, the images it stands on and the
 * machine's architecture. It does not cover the versions of Docker and BuildKit.
 */
export async function imageArchive(
  name: ImageName,
  foundationKeys: readonly string[],
  docker: DockerAddress,
  options: InputOptions,
): Promise<Artifact> {
  const { reference, inputs } = images[name];
  const resolved = await Promise.all(inputs.map((input) => resolveInput(name, input, options)));
  const key = hashParts(createHash('sha256'), [
    builderRevision,
    process.arch,
    reference,
    await hashFolder(imageFolder(name)),
    ...resolved.map((input) => input.key),
    ...foundationKeys,
  ]);
  return {
    name,
    extension: 'image.tar',
    what: `image ${reference}`,
    key,
    make: async (archive, workFolder) => {
      const contextFolder = join(workFolder, 'context');
      await layContext(contextFolder, name, resolved);
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

async function layContext(contextFolder: string, name: ImageName, inputs: readonly ResolvedInput[]): Promise<void> {
  await mkdir(contextFolder, { recursive: true });
  await cp(imageFolder(name), contextFolder, { recursive: true });
  for (const input of inputs) await input.layInto(contextFolder);
}

/** BuildKit's plain lines `#7 [2/3] RUN …` and `#9 exporting layers`, without their numbers. */
function reportStep(line: string, reference: string, { say }: InputOptions): void {
  const step = /^#\d+ (\[.*|exporting layers|rewriting layers|sending tarball)/.exec(line)?.[1];
  if (step && !step.startsWith('[internal]')) say(`building ${reference}: ${step.slice(0, 80)}`);
}
