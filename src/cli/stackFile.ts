import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { GateError } from '../core/gateError.js';
import { fileExists } from '../host/fileExists.js';
import { writeWhole } from '../host/wholeFile.js';
import { type LabPaths, labStack } from '../lab/paths.js';
import { projectFolder } from './projectFolder.js';

/** Which stack a context belongs to, and the template in `stacks/` that its settings start from. */
export interface StackChoice {
  readonly stack: string;
  readonly template: 'lab' | 'docker-desktop' | 'kind';
}

/** Without a context: the lab. @throws GateError `usage` for a context that raygate never deploys to. */
export function chooseStack(context: string | undefined): StackChoice {
  if (context === undefined) return { stack: labStack, template: 'lab' };
  if (context === 'docker-desktop') return { stack: 'docker-desktop', template: 'docker-desktop' };
  if (/^kind-[a-z0-9][a-z0-9._-]*$/.test(context)) return { stack: context, template: 'kind' };
  throw new GateError({
    layer: 'usage',
    code: 'usage.context',
    message: `context '${context.slice(0, 100)}' is not local by name: give docker-desktop or kind-NAME`,
  });
}

/** Where Pulumi keeps a stack's settings: in the project folder, outside git. */
export function stackFilePath(stack: string): string {
  return join(projectFolder, `Pulumi.${stack}.yaml`);
}

/**
 * Copies the template to the stack's own file when there is none, then sets the given values and leaves all others as they
 * are: what the user wrote there stays.
 */
export async function ensureStackFile(choice: StackChoice, values: Readonly<Record<string, string>>): Promise<string> {
  const target = stackFilePath(choice.stack);
  const exists = await fileExists(target);
  const before = await readFile(exists ? target : join(projectFolder, 'stacks', `${choice.template}.yaml`), 'utf8');
  const document = parseDocument(before);
  for (const [key, value] of Object.entries(values)) document.setIn(['config', `raygate:${key}`], value);
  const after = document.toString({ lineWidth: 0 });
  if (!exists || after !== before) await writeWhole(target, after);
  return target;
}

/** What the lab knows of itself; a user's own cluster is described by the user. */
export function labSettings(paths: LabPaths): Readonly<Record<string, string>> {
  return {
    kubeconfig: paths.kubeconfig,
    dockerHost: `unix://${paths.dockerSocket}`,
    dockerConfig: paths.dockerConfigFolder,
  };
}
