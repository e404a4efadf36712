import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { GateError, isGateError } from '../../core/gateError.js';
import { evidencePath } from '../../gate/index.js';
import { fileExists } from '../../host/fileExists.js';
import { labPaths, labStack } from '../../lab/paths.js';
import { stackFilePath } from '../stackFile.js';
import { readStackSettings } from '../stackSettings.js';
import type { ProvenCommit } from './baseline.js';

const evidence = z.object({
  finishedAt: z.string(),
  plan: z.object({ source: z.object({ commit: z.string().regex(/^[0-9a-f]{40}$/) }) }),
});

/**
 * The commit that a stack's evidence is of; undefined when there is none that can be read.
 * @throws GateError `usage.unknown-stack` for a stack with neither a file nor state; the lab's own may be yet to come.
 */
export async function provenCommit(stack: string): Promise<ProvenCommit | undefined> {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(stack);
  if (isName && stack === labStack) return readProvenCommit(await stateFolderOf(stack), stack);
  if (isName && ((await fileExists(stackFilePath(stack))) || (await fileExists(join(labPaths().stacksFolder, stack)))))
    return readProvenCommit(await stateFolderOf(stack), stack);
  throw new GateError({
    layer: 'usage',
    code: 'usage.unknown-stack',
    message: `there is no stack ${JSON.stringify(stack.slice(0, 100))}: it has neither a Pulumi.NAME.yaml nor state; give --stack the name of one`,
  });
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
