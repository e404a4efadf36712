import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isGateError } from '../../core/gateError.js';
import { evidencePath } from '../../gate/index.js';
import { labPaths } from '../../lab/paths.js';
import { readStackSettings } from '../stackSettings.js';
import type { ProvenCommit } from './baseline.js';

const evidence = z.object({
  finishedAt: z.string(),
  plan: z.object({ source: z.object({ commit: z.string().regex(/^[0-9a-f]{40}$/) }) }),
});

/** The commit that a stack's evidence is of; undefined when there is none that can be read. */
export async function provenCommit(stack: string): Promise<ProvenCommit | undefined> {
  return readProvenCommit(await stateFolderOf(stack), stack);
}

export async function readProvenCommit(stateFolder: string, stack: string): Promise<ProvenCommit | undefined> {
  const text = await readFile(evidencePath(stateFolder), 'utf8').catch(() => '');
  const read = evidence.safeParse(jsonOf(text));
  return read.success ? { stack, commit: read.data.plan.source.commit, finishedAt: read.data.finishedAt } : undefined;
}

/** Where the settings say; without a stack file (a new checkout) where `npm start` puts it. */
async function stateFolderOf(stack: string): Promise<string> {
  try {
    return (await readStackSettings(stack)).stateFolder;
  } catch (error) {
    if (!isGateError(error)) throw error;
    return join(labPaths().stacksFolder, stack);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
