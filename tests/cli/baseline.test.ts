import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseBaseline, type ProvenCommit } from '../../src/cli/trigger/baseline.js';
import { changedPaths } from '../../src/cli/trigger/changedPaths.js';
import { readProvenCommit } from '../../src/cli/trigger/provenCommit.js';
import { evidencePath } from '../../src/gate/index.js';
import { run } from '../../src/host/process.js';

let folder: string;
let commits: Readonly<Record<string, string>>;
const git = async (...argv: string[]) =>
  (
    await run({
      file: 'git',
      argv: ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv],
      cwd: folder,
      timeoutSeconds: 30,
    })
  ).stdout.trim();

/** main: first - meanwhile; work: first - one - two, with something edited and something untracked. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-trigger-'));
  const commit = async (message: string) => {
    await git('add', '--all');
    await git('commit', '-qm', message);
    return git('rev-parse', 'HEAD');
  };
  await git('init', '-q', '-b', 'main');
  for (const name of ['kept', 'renamed', 'changed', 'edited']) await writeFile(join(folder, name), `${name}\n`);
  const first = await commit('first');
  await git('checkout', '-qb', 'work');
  await git('mv', 'renamed', 'new name');
  const one = await commit('one');
  await writeFile(join(folder, 'changed'), 'other\n');
  const two = await commit('two');
  await git('checkout', '-q', 'main');
  await writeFile(join(folder, 'elsewhere'), 'by others\n');
  const meanwhile = await commit('meanwhile');
  await git('checkout', '-q', 'work');
  await writeFile(join(folder, 'edited'), 'not committed\n');
  await writeFile(join(folder, 'ü\n'), 'untracked, with a name that git would quote\n');
  commits = { first, one, two, meanwhile };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const id = (name: string) => commits[name] ?? name;
const short = (name: string) => id(name).slice(0, 12);
const provenWith = (name: string): ProvenCommit => ({
  stack: 'lab',
  commit: id(name),
  finishedAt: '2026-01-31T12:03:00Z',
});

describe('what a change is measured from', () => {
  const lost = 'f'.repeat(40);
  const rows: readonly [string, string, string | undefined, string | undefined, string, () => string][] = [
    ['where HEAD left what was given', 'work', 'main', 'one', 'first', () => `where HEAD left main, ${short('first')}`],
    [
      'the commit that was last proven',
      'work',
      undefined,
      'one',
      'one',
      () => `the commit that was last proven, ${short('one')} (stack lab, 2026-01-31T12:03:00Z)`,
    ],
    [
      'that commit itself, even one that HEAD left',
      'work',
      undefined,
      'meanwhile',
      'meanwhile',
      () => `the commit that was last proven, ${short('meanwhile')} (stack lab, 2026-01-31T12:03:00Z)`,
    ],
    [
      'where HEAD left its upstream, without evidence',
      'tracking',
      undefined,
      undefined,
      'first',
      () => `where HEAD left its upstream, ${short('first')}; nothing was proven yet`,
    ],
    [
      'the commit before, where the upstream has all',
      'pushed',
      undefined,
      undefined,
      'one',
      () => `the commit before HEAD, ${short('one')}; nothing was proven yet`,
    ],
    [
      'the commit before, where this repository lacks what was proven',
      'work',
      undefined,
      lost,
      'one',
      () =>
        `the commit before HEAD, ${short('one')}; stack lab was proven with ffffffffffff, which this repository lacks`,
    ],
    [
      'nothing, where there is no commit before',
      'root',
      undefined,
      undefined,
      '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      () => 'nothing: HEAD is the first commit; nothing was proven yet',
    ],
  ];
  it.each(rows)('%s', async (_name, branch, since, proven, base, words) => {
    if (branch === 'tracking') await git('branch', '-q', '--set-upstream-to=main', 'work');
    if (branch === 'pushed') {
      await git('branch', '-q', 'pushed', 'work');
      await git('branch', '-q', '--set-upstream-to=pushed', 'work');
    }
    if (branch === 'root') await git('symbolic-ref', 'HEAD', 'refs/heads/root');
    if (branch === 'root') await git('branch', '-q', '-f', 'root', id('first'));
    try {
      const given = proven === undefined ? undefined : provenWith(proven);
      expect(await chooseBaseline(folder, since, given)).toEqual({ id: id(base), words: words() });
    } finally {
      await git('symbolic-ref', 'HEAD', 'refs/heads/work');
      if (branch === 'tracking' || branch === 'pushed') await git('branch', '-q', '--unset-upstream', 'work');
    }
  });

  it.each(['nowhere', '--help', ''])('is refused for %j, which is no commit', async (since) => {
    await expect(chooseBaseline(folder, since, undefined)).rejects.toMatchObject({
      layer: 'usage',
      code: 'usage.unknown-ref',
    });
  });
});

describe('changedPaths', () => {
  const uncommitted = ['edited', 'ü\n'];
  const rows: readonly [string, string, readonly string[]][] = [
    ['a branch, both names of a renamed file', 'first', ['changed', 'edited', 'new name', 'renamed', 'ü\n']],
    ['a commit', 'one', ['changed', 'edited', 'ü\n']],
    ['nothing but what is not committed', 'two', uncommitted],
    ['all', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', ['changed', 'edited', 'kept', 'new name', 'ü\n']],
  ];
  it.each(rows)('gives %s, and apart what is not committed', async (_name, base, paths) => {
    expect(await changedPaths(folder, id(base))).toEqual({ paths, uncommitted });
  });
});

describe('the commit that was last proven', () => {
  const proven = { commit: '1'.repeat(40), finishedAt: '2026-01-31T12:03:00Z' };
  const evidence = (commit: unknown) =>
    JSON.stringify({ finishedAt: proven.finishedAt, plan: { source: { commit } }, other: 1 });
  const rows: readonly [string, string | undefined, object | undefined][] = [
    ['is that of the evidence', evidence(proven.commit), { stack: 'lab', ...proven }],
    ['is none without evidence', undefined, undefined],
    ['is none of half a file', '{"finishedAt":', undefined],
    ['is none of evidence without a whole commit', evidence('--output=x'), undefined],
  ];
  it.each(rows)('%s', async (_name, text, found) => {
    const state = join(folder, '.git', `state-${rows.findIndex((row) => row[0] === _name)}`);
    await mkdir(dirname(evidencePath(state)), { recursive: true });
    if (text !== undefined) await writeFile(evidencePath(state), text);
    expect(await readProvenCommit(state, 'lab')).toEqual(found);
  });
});
