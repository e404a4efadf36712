import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parse } from 'yaml';
import { GateError } from '../core/gateError.js';
import { parseSettings, type Settings, settingsError } from '../infra/settings.js';
import { projectFolder } from './projectFolder.js';
import { stackFilePath } from './stackFile.js';

/** The settings of a stack, from its file, as the program will see them. @throws GateError `settings`, naming every problem. */
export async function readStackSettings(stack: string): Promise<Settings> {
  const text = await readFile(stackFilePath(stack), 'utf8').catch(() => {
    throw new GateError({
      layer: 'settings',
      code: 'settings.no-stack-file',
      message: `there is no Pulumi.${stack}.yaml: run npm start, or copy a template from stacks/ and fill it in`,
    });
  });
  return parseStackSettings(text, stack);
}

/** The same, from the text of such a file. */
export function parseStackSettings(text: string, stack: string): Settings {
  const document = parse(text) as { config?: Record<string, unknown> } | null;
  const raw = Object.fromEntries(
    Object.entries(document?.config ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const parsed = parseSettings(raw, { projectFolder, homeFolder: homedir(), stack });
  if (!parsed.ok) throw settingsError(parsed.problems);
  return parsed.settings;
}
