import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raygate } from '../lab/command.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-usage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command as a user types it, with cache, state and sockets in a folder that must stay empty. */
async function said(argv: readonly string[]) {
  const env = { RAYGATE_CACHE: folder, RAYGATE_STATE: folder, RAYGATE_RUN: folder, NO_COLOR: '1' };
  const { code, stdout, stderr } = await raygate(argv, { env });
  expect([stdout, await readdir(folder)]).toEqual(['', []]);
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('setup: '));
  return { code, first: lines[0], rest: lines.slice(1) };
}

const wrong: readonly [string, readonly string[], string, string][] = [
  ['a command that does not exist', ['frobnicate'], "error: unknown command 'frobnicate'", 'raygate'],
  [
    'a command that almost exists, with the one that does',
    ['credential'],
    "error: unknown command 'credential'",
    'raygate',
  ],
  ['an option that does not exist', ['start', '--frobnicate'], "error: unknown option '--frobnicate'", 'raygate start'],
  [
    'an option without its value',
    ['start', '--context'],
    "error: option '--context <name>' argument missing",
    'raygate start',
  ],
  [
    'a word too many',
    ['start', 'now'],
    "error: too many arguments for 'start'. Expected 0 arguments but got 1: now.",
    'raygate start',
  ],
  [
    'a command of the lab that does not exist',
    ['lab', 'frobnicate'],
    "error: unknown command 'frobnicate'",
    'raygate lab',
  ],
  [
    'the log of a part that does not exist',
    ['lab', 'logs', 'frobnicator'],
    "error: command-argument value 'frobnicator' is invalid for argument 'component'. Allowed choices are",
    'raygate lab logs',
  ],
];

describe('wrong usage ends with exit code 2, what is wrong first and the help after it, for', () => {
  it.each(wrong)('%s', async (_name, argv, start, usage) => {
    const { code, first, rest } = await said(argv);
    expect([code, first?.startsWith(start) ? start : first]).toEqual([2, start]);
    expect(rest.some((line) => line.startsWith(`Usage: ${usage}`))).toBe(true);
  });

  it('no command at all', async () => {
    const { code, first } = await said([]);
    expect([code, first]).toEqual([2, 'Usage: raygate [options] [command]']);
  });
});

describe('a value that is refused ends with exit code 2 and one line, for', () => {
  const refused: readonly [string, readonly string[], string][] = [
    [
      'a context that is not local by its name',
      ['start', '--context', 'production'],
      "FAILED [usage]: context 'production' is not local by name: give docker-desktop or kind-NAME (usage.context)",
    ],
    [
      'a name that no namespace can have',
      ['explain', 'namespace', 'Team_A'],
      "FAILED [usage]: 'Team_A' is no name of a namespace: lower-case letters, digits and - only (usage.namespace)",
    ],
    [
      'the status of a stack that has no file',
      ['status', '--stack', 'frobnicate'],
      'FAILED [settings]: there is no Pulumi.frobnicate.yaml: run npm start, or copy a template from stacks/ and fill it in (settings.no-stack-file)',
    ],
    [
      'a stack that has no file',
      ['credentials', '--stack', 'frobnicate'],
      'FAILED [settings]: there is no Pulumi.frobnicate.yaml: run npm start, or copy a template from stacks/ and fill it in (settings.no-stack-file)',
    ],
  ];
  it.each(refused)('%s', async (_name, argv, line) => {
    expect(await said(argv)).toEqual({ code: 2, first: line, rest: [] });
  });
});
