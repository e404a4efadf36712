import { createHash } from 'node:crypto';
import { run } from '../../host/process.js';
import type { Artifact } from './artifact.js';
import { hashParts } from './contentKey.js';
import { imageFolder, readImageFile, toolEnvironment } from './places.js';

const flags = ['-std=gnu17', '-Os', '-Wall', '-Wextra', '-Werror', '-static', '-s'];

/** One C file as a static program. The key covers the source and the flags, not the compiler. */
export async function cProgram(folder: string, source: string): Promise<Artifact> {
  const path = `${folder}/${source}`;
  return {
    name: source.replace(/\.c$/, ''),
    extension: 'bin',
    what: `program ${path}`,
    key: hashParts(createHash('sha256'), [process.arch, ...flags, await readImageFile(path)]),
    make: async (target) => {
      await run({
        file: 'gcc',
        argv: [...flags, '-o', target, imageFolder(path)],
        env: toolEnvironment({}),
        timeoutSeconds: 120,
      });
    },
  };
}
