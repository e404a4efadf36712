import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, projectFolder } from '../lab/command.js';
import { type StandInEngine, standInEngine } from './support/standInEngine.js';

const runner = join(projectFolder, 'node_modules', '@pulumi', 'pulumi', 'cmd', 'run');
/** With which the SDK's runner tells the language host that the user knows all. */
const toldTheUser = 32;

/** The compiled program under the SDK's own runner, as the language host starts it; the CLI is not needed for what is refused. */
describe('a program that is refused', () => {
  let engine: StandInEngine;
  beforeEach(async () => {
    engine = await standInEngine();
  });
  afterEach(() => engine.close());

  const rows: readonly [string, readonly string[]][] = [
    ['in a preview', ['--dry-run']],
    ['in an update', []],
  ];
  it.each(rows)('%s says its one error, and Node nothing beside it', async (_name, flags) => {
    const ended = await program(
      process.execPath,
      [
        runner,
        `--monitor=${engine.address}`,
        `--engine=${engine.address}`,
        '--project=raygate',
        '--stack=test',
        ...flags,
        `--pwd=${projectFolder}`,
        '.',
      ],
      { env: { PULUMI_CONFIG: '{}', PULUMI_CONFIG_SECRET_KEYS: '[]' } },
    );
    const errors = engine.logged.filter(({ severity }) => severity >= 2).map(({ message }) => message.split('\n')[0]);
    expect({ ...ended, errors }).toEqual({
      code: toldTheUser,
      stdout: '',
      stderr: '',
      errors: [
        'FAILED [settings]: Pulumi.test.yaml: raygate:kubeconfig is missing: give an absolute path, or one that begins with ~/ (Path of the kubeconfig to use. Nothing ambient is consulted), and 2 more:',
      ],
    });
  });
});
