import { join } from 'node:path';
import { GateError } from '../core/gateError.js';
import { fileExists } from '../host/fileExists.js';
import { writeWhole } from '../host/wholeFile.js';
import { type LabPaths, labStack } from '../lab/paths.js';
import { projectFolder } from './projectFolder.js';
import { parseSettingsDocument, readSettingsText } from './settingsDocument.js';

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

/** The stack's file as it would be: nothing is written before {@link store}. */
export interface ProposedStackFile {
  readonly text: string;
  /** What the values that are not given come from: the stack's own file, or the template. */
  readonly source: string;
  store(): Promise<void>;
}

/**
 * The stack's own file, or the template where there is none, with the given values set and all others as they are: what the user
 * wrote there stays.
 * @throws GateError as {@link parseSettingsDocument} and {@link readSettingsText}.
 */
export async function proposeStackFile(
  choice: StackChoice,
  values: Readonly<Record<string, string>>,
): Promise<ProposedStackFile> {
  const target = stackFilePath(choice.stack);
  const exists = await fileExists(target);
  const source = exists ? `Pulumi.${choice.stack}.yaml` : `stacks/${choice.template}.yaml`;
  const before = (await readSettingsText(join(projectFolder, source), source)) ?? '';
  const { document } = parseSettingsDocument(before, source);
  // A `config:` without a value: what is set below it then needs the mapping.
  if (document.get('config') === null) document.delete('config');
  for (const [key, value] of Object.entries(values)) document.setIn(['config', `raygate:${key}`], value);
  const text = document.toString({ lineWidth: 0 });
  return {
    text,
    source,
    store: async () => {
      if (!exists || text !== before) await writeWhole(target, text);
    },
  };
}

/** What the lab knows of itself; a user's own cluster is described by the user. */
export function labSettings(paths: LabPaths): Readonly<Record<'kubeconfig' | 'dockerHost' | 'dockerConfig', string>> {
  return {
    kubeconfig: paths.kubeconfig,
    dockerHost: `unix://${paths.dockerSocket}`,
    dockerConfig: paths.dockerConfigFolder,
  };
}
