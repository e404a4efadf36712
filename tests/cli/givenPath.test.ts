import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenPath, givenPlace } from '../../src/cli/givenPath.js';
import { program, projectFolder } from '../lab/command.js';

describe('a path that was typed', () => {
  const rows: readonly [string, string, Readonly<Record<string, string>>, string, string][] = [
    ['whole, stays', '/a/b', {}, '/a/b', '/a/b'],
    ['below home, is left to the settings', '~/.kube/config', {}, '~/.kube/config', join(homedir(), '.kube/config')],
    ['relative, begins in the work folder', 'b/../c', {}, '/typed/c', '/typed/c'],
    ['relative under npm, begins where npm was called', 'c', { INIT_CWD: '/user' }, '/user/c', '/user/c'],
  ];
  it.each(rows)('%s', (_name, path, environment, whole, place) => {
    const typedIn = { workFolder: '/typed', environment };
    expect([givenPath('--x', path, typedIn), givenPlace('--x', path, typedIn)]).toEqual([whole, place]);
  });

  it.each(['', '  '])('as %j is said to be empty', (path) => {
    const says = 'the value of --kubeconfig is empty: give a path';
    expect(() => givenPath('--kubeconfig', path)).toThrow(
      expect.objectContaining({ layer: 'usage', code: 'usage.empty-path', message: says }),
    );
  });
});

/** The command itself, as a user types it in a folder of their own. */
describe('a relative path', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-typed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const calls: readonly [string, () => { folder: string; env: Readonly<Record<string, string>> }][] = [
    ['without npm', () => ({ folder, env: { INIT_CWD: '/elsewhere' } })],
    ['under npm', () => ({ folder: projectFolder, env: { INIT_CWD: folder } })],
  ];
  it.each(calls)('begins where it was typed, %s', async (_name, call) => {
    const command = (...argv: string[]) =>
      program(process.execPath, [join(projectFolder, 'bin', 'raygate.mjs'), ...argv], call());
    expect(await command('synth', '--chart', 'controller', '--format', 'yaml', '--out', 'out')).toMatchObject({
      code: 0,
    });
    expect(await readdir(folder)).toEqual(['out']);
    const refusals = [
      [['evidence', 'verify', 'none'], `there is no evidence at ${join(folder, 'none')}: give`],
      [['evidence', 'show', 'none'], `there is no evidence at ${join(folder, 'none')}: give`],
      [
        ['evidence', 'verify', 'out', '--checkout', 'none'],
        `there is no folder ${join(folder, 'none')}: give --checkout`,
      ],
    ] as const;
    for (const [argv, says] of refusals) {
      const ended = await command(...argv);
      expect([ended.code, ended.stderr.includes(says) ? says : ended.stderr]).toEqual([2, says]);
    }
  });
});
