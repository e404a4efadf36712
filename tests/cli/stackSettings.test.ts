import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettingsText } from '../../src/cli/settingsDocument.js';
import { parseStackSettings } from '../../src/cli/stackSettings.js';

const file = 'Pulumi.kind-a.yaml';
const read = (text: string) => parseStackSettings(text, 'kind-a', file);
const bomb = Array.from(
  { length: 12 },
  (_, at) =>
    `k${at}: &a${at} [${
      at === 0
        ? '1'
        : Array(9)
            .fill(`*a${at - 1}`)
            .join(', ')
    }]`,
);
const required = 'raygate:kubeconfig: /k\n  raygate:rayRestart: skip';

describe('the settings of a stack file', () => {
  it.each([
    ['a config that is a number', 'config: 5', 'its config is no mapping; mend it'],
    ['a config that is a list', 'config: [1, 2]', 'its config is no mapping; mend it'],
    ['a list', '- config', 'it is no mapping; mend it'],
    ['no YAML', 'config: [', ''],
    ['a key twice', 'config: {}\nconfig: {}', 'Map keys must be unique'],
    ['aliases that grow beyond measure', bomb.join('\n'), 'Excessive alias count'],
  ])('are malformed in a file with %s', (_name, text, says) => {
    const message = expect.stringContaining(`${file} cannot be read as settings: ${says}`);
    expect(() => read(text)).toThrow(
      expect.objectContaining({ layer: 'settings', code: 'settings.malformed', message }),
    );
  });

  it.each([
    ['a key without a value', 'raygate:context:', 'raygate:context is empty: give it a value, or remove it'],
    [
      'an encrypted value',
      'raygate:context: { secure: abc }',
      'raygate:context has an encrypted value (secure), which is not supported here: give it in plain text',
    ],
    [
      'a missing key',
      'raygate:drain: wait',
      'raygate:context is missing: give docker-desktop or kind-NAME (Context of that file)',
    ],
  ])('name %s once, with the file and the stack', (_name, line, problem) => {
    const message = `${file}: ${problem}; set it with: pulumi config set --stack kind-a KEY VALUE`;
    expect(() => read(`config:\n  ${required}\n  ${line}\n`)).toThrow(
      expect.objectContaining({ code: 'settings.invalid', message }),
    );
  });

  it('pass over what is not ours', () => {
    expect(read(`config:\n  ${required}\n  raygate:context: kind-a\n  other:key: { secure: x }\n`).context).toBe(
      'kind-a',
    );
  });

  it('tell a file that is not there from one that cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'raygate-settings-'));
    expect(await readSettingsText(join(folder, 'none'), file)).toBeUndefined();
    await expect(readSettingsText(folder, file)).rejects.toMatchObject({
      layer: 'settings',
      code: 'settings.unreadable',
      message: `${file} cannot be read (EISDIR): it must be a file that this user can read`,
    });
    await rm(folder, { recursive: true });
  });
});
