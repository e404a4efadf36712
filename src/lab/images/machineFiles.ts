import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashParts } from './contentKey.js';
import { bundlePath, pipConfiguration, readPipSettings } from './pipConfiguration.js';

/**
 * What an image with Python takes from the machine: its certificate authorities and its pip settings, so that a `RUN pip
 * install` in a Dockerfile built on it reaches the index as the machine does. Never committed, never sent anywhere.
 */
export interface MachineFiles {
  readonly key: string;
  /** Writes them below `folder` at the paths that they have in the image. */
  layBelow(folder: string): Promise<void>;
}

export async function readMachineFiles(): Promise<MachineFiles> {
  const settings = await readPipSettings(process.env);
  const bundle = await readBundle([settings.get('cert'), process.env['SSL_CERT_FILE'], bundlePath]);
  const files = new Map<string, string>([['/etc/pip.conf', pipConfiguration(settings, bundle !== undefined)]]);
  if (bundle !== undefined) files.set(bundlePath, bundle);
  return {
    key: hashParts(createHash('sha256'), [...files].flat()),
    async layBelow(folder) {
      for (const [path, content] of files) {
        await mkdir(join(folder, dirname(path)), { recursive: true });
        await writeFile(join(folder, path), content, { mode: 0o644 });
      }
    },
  };
}

/** The first that can be read and holds a certificate. */
async function readBundle(paths: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const path of paths) {
    const content = path && (await readFile(path, 'utf8').catch(() => undefined));
    if (content?.includes('BEGIN CERTIFICATE')) return content;
  }
  return undefined;
}
