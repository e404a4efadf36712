import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { type Artifact, ensureArtifact, type Say } from './artifact.js';
import type { ImageInput, ImageName } from './catalog.js';
import { hashFile } from './contentKey.js';
import { cProgram } from './cProgram.js';
import { readMachineFiles } from './machineFiles.js';
import { pythonEnvironment } from './pythonEnvironment.js';
import { rootFilesystem } from './rootFilesystems.js';

export interface InputOptions {
  /** Where finished inputs are kept. */
  readonly folder: string;
  /** The path of a binary of the lab's toolchain. */
  readonly binaries: (name: string) => string;
  readonly say: Say;
}

/** An input whose content is known by a key before it is made. */
export interface ResolvedInput {
  readonly key: string;
  /** Lays it into a build context, making it first when it is missing. */
  readonly layInto: (context: string) => Promise<void>;
  /** The making alone: what can be done before there is a Docker daemon. */
  readonly prepare: () => Promise<void>;
}

export async function resolveInput(image: ImageName, input: ImageInput, options: InputOptions): Promise<ResolvedInput> {
  switch (input.kind) {
    case 'binary': {
      const path = options.binaries(input.name);
      return {
        key: await hashFile(path),
        layInto: (context) => linkOrCopy(path, join(context, input.as)),
        prepare: async () => {},
      };
    }
    case 'machine-files': {
      const files = await readMachineFiles();
      return { key: files.key, layInto: (context) => files.layBelow(join(context, input.as)), prepare: async () => {} };
    }
    case 'c-program':
      return ofArtifact(await cProgram(image, input.source), input.as, options);
    case 'root-file-system':
      return ofArtifact(await rootFilesystem(input.name), input.as, options);
    case 'python-environment':
      return ofArtifact(await pythonEnvironment(input.on, options.folder, options.say), input.as, options);
  }
}

function ofArtifact(artifact: Artifact, as: string, { folder, say }: InputOptions): ResolvedInput {
  return {
    key: artifact.key,
    layInto: async (context) => linkOrCopy(await ensureArtifact(folder, artifact, say), join(context, as)),
    prepare: async () => {
      await ensureArtifact(folder, artifact, say);
    },
  };
}

/** Same file system: a link costs nothing. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
