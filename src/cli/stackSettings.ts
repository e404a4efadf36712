import { homedir } from 'node:os';
import { GateError } from '../core/gateError.js';
import { parseSettings, type Settings, settingsError } from '../infra/settings.js';
import { projectFolder } from './projectFolder.js';
import { parseSettingsDocument, readSettingsText } from './settingsDocument.js';
import { stackFilePath } from './stackFile.js';

/** The settings of a stack, from its file, as the program will see them. @throws GateError `settings`, naming every problem. */
export async function readStackSettings(stack: string): Promise<Settings> {
  const file = `Pulumi.${stack}.yaml`;
  const text = await readSettingsText(stackFilePath(stack), file);
  if (text !== undefined) return parseStackSettings(text, stack, file);
  throw new GateError({
    layer: 'settings',
    code: 'settings.no-stack-file',
    message: `there is no ${file}: run npm start, or copy a template from stacks/ and fill it in`,
  });
}

/** The same, from the text of such a file. */
export function parseStackSettings(text: string, stack: string, file: string): Settings {
  const { config } = parseSettingsDocument(text, file);
  const unusable = new Map(Object.entries(config).flatMap(([key, value]) => unusableValue(key, value)));
  const usable = Object.entries(config).filter(([key]) => !unusable.has(key));
  const raw = Object.fromEntries(
    usable.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const parsed = parseSettings(raw, { projectFolder, homeFolder: homedir(), stack });
  const others = parsed.ok ? [] : parsed.problems.filter((problem) => !unusable.has(problem.split(' ')[0] ?? ''));
  const problems = [...[...unusable].map(([key, why]) => `${key} ${why}`), ...others];
  if (!parsed.ok || problems.length > 0) throw settingsError(problems, { stack, file });
  return parsed.settings;
}

/** Why a value of ours is none, for what YAML or Pulumi allow beside plain values. */
function unusableValue(key: string, value: unknown): readonly (readonly [string, string])[] {
  if (!key.startsWith('raygate:')) return [];
  if (value === null) return [[key, 'is empty: give it a value, or remove it']];
  if (typeof value === 'object' && 'secure' in value)
    return [[key, 'has an encrypted value (secure), which is not supported here: give it in plain text']];
  return [];
}
