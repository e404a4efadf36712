import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { evidenceFiles } from '../../gate/report/evidenceFiles.js';

/** An evidence file by itself, or the files of an evidence folder by name. */
export type EvidencePlace =
  | { readonly kind: 'file'; readonly path: string; readonly content: Buffer }
  | { readonly kind: 'folder'; readonly path: string; readonly files: ReadonlyMap<string, Buffer> };

const largestBytes = 64 * 1024 * 1024;

/**
 * Reads what is at `path`. In a folder only files that can belong to an evidence are opened; of the others the name is enough.
 * @throws GateError `usage` when nothing can be read there
 */
export async function readEvidencePlace(path: string): Promise<EvidencePlace> {
  const place = resolve(path);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw usage('absent', `there is no evidence at ${place}: give evidence.json or its folder`);
  if (!found.isDirectory()) return { kind: 'file', path: place, content: await readBounded(place) };
  const known: readonly string[] = Object.values(evidenceFiles);
  const names = (await readdir(place)).sort();
  if (!names.some((name) => known.includes(name)))
    throw usage('absent', `${place} holds no evidence: give evidence.json or its folder`);
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => {
      const content = known.includes(name) ? await readBounded(join(place, name)) : Buffer.alloc(0);
      return [name, content];
    }),
  );
  return { kind: 'folder', path: place, files: new Map(files) };
}

async function readBounded(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw usage('unreadable', `${path} is no file`);
  if (found.size > largestBytes) throw usage('too-large', `${path} has ${found.size} bytes, more than ${largestBytes}`);
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usage('unreadable', `${path} cannot be read: ${error.code ?? error.message}`);
  });
}

function usage(code: string, message: string): GateError {
  return new GateError({ layer: 'usage', code: `usage.evidence-${code}`, message });
}
