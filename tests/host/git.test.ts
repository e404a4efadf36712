import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  archiveSha256,
  readCommitted,
  readHead,
  readSource,
  type SourceIdentity,
  unpackCommit,
} from '../../src/host/git.js';
import { run } from '../../src/host/process.js';

let folder: string;
let repository: string;

const git = (...argv: string[]) =>
  run({
    file: 'git',
    argv: ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'init.defaultBranch=main', ...argv],
    cwd: repository,
    timeoutSeconds: 20,
  });

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'raygate-git-')));
  repository = join(folder, 'repository');
  await mkdir(join(repository, 'app'), { recursive: true });
  await git('init', '-q');
  await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM scratch\n');
  await writeFile(join(repository, '.gitignore'), '.env\n');
  await git('add', '.');
  await git('commit', '-q', '-m', 'first');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function source(): Promise<SourceIdentity> {
  const reading = await readSource(repository);
  if (!reading.ok) throw new Error(reading.problem.detail);
  return reading.source;
}

const problemOf = async (place: string) => {
  const reading = await readSource(place);
  return reading.ok ? 'ok' : reading.problem.code;
};

describe('what is committed', () => {
  test('a clean checkout has a commit and a tree', async () => {
    expect(await source()).toEqual({
      root: repository,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  test('a message-only amend changes the commit and keeps the tree', async () => {
    const before = await source();
    await git('commit', '-q', '--amend', '-m', 'other words');
    const after = await source();
    expect(after.tree).toBe(before.tree);
    expect(after.commit).not.toBe(before.commit);
  });

  test('a changed file is dirty, and is named', async () => {
    await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM other\n');
    const reading = await readSource(repository);
    expect(reading).toMatchObject({
      ok: false,
      problem: { code: 'source.dirty', detail: expect.stringContaining('app/Dockerfile') },
    });
  });

  test.each(['assume-unchanged', 'skip-worktree'])(
    'a file marked %s is refused by name, edited or not',
    async (mark) => {
      await git('update-index', `--${mark}`, 'app/Dockerfile');
      const problem = {
        code: 'source.hidden',
        detail: expect.stringContaining('changes of app/Dockerfile: git update-index'),
      };
      expect(await readSource(repository)).toMatchObject({ ok: false, problem });
      await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM other\n');
      expect(await readSource(repository)).toMatchObject({ ok: false, problem });
      await git('update-index', `--no-${mark}`, 'app/Dockerfile');
      expect(await problemOf(repository)).toBe('source.dirty');
    },
  );

  test('an untracked file in a folder is dirty', async () => {
    await mkdir(join(repository, 'new'));
    await writeFile(join(repository, 'new', 'file'), '');
    expect(await problemOf(repository)).toBe('source.dirty');
  });

  test('an ignored file is not dirty', async () => {
    await writeFile(join(repository, '.env'), 'SECRET=1');
    expect(await problemOf(repository)).toBe('ok');
  });

  test('a folder below the top is refused', async () => {
    expect(await problemOf(join(repository, 'app'))).toBe('source.not-top');
  });

  test('a folder outside any repository is refused', async () => {
    expect(await problemOf(folder)).toBe('source.no-repository');
  });

  test('GIT_DIR in the environment does not send git elsewhere', async () => {
    process.env['GIT_DIR'] = '/nonexistent';
    try {
      expect(await problemOf(repository)).toBe('ok');
    } finally {
      delete process.env['GIT_DIR'];
    }
  });
});

describe('the archive of a commit', () => {
  test('holds what was committed: no later edit, no ignored file, no .git', async () => {
    const pinned = await source();
    await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM edited\n');
    await writeFile(join(repository, '.env'), 'SECRET=1');
    const destination = join(folder, 'unpacked');
    await mkdir(destination);
    await unpackCommit(pinned, destination, ['app/Dockerfile']);
    expect((await readdir(destination)).sort()).toEqual(['.gitignore', 'app']);
    expect(await readFile(join(destination, 'app', 'Dockerfile'), 'utf8')).toBe('FROM scratch\n');
    expect((await readdir(folder)).sort()).toEqual(['repository', 'unpacked']);
  });

  test('that lacks a required file is refused by name', async () => {
    const destination = join(folder, 'unpacked');
    await mkdir(destination);
    await expect(unpackCommit(await source(), destination, ['uv.lock'])).rejects.toThrow('lacks "uv.lock"');
  });

  test('one file of it reads as committed, and one that is not in it as absent', async () => {
    const pinned = await source();
    await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM edited\n');
    expect(await readCommitted(pinned, 'app/Dockerfile')).toBe('FROM scratch\n');
    expect(await readCommitted(pinned, 'app/none')).toBeUndefined();
  });
});

describe('the digest of what is committed', () => {
  const shell = (command: string) => run({ file: 'sh', argv: ['-c', command], cwd: repository, timeoutSeconds: 20 });

  test('is what git archive and sha256sum give by hand, whatever the user has set', async () => {
    const { stdout } = await shell(
      'git -c tar.umask=0002 -c core.autocrlf=false -c core.eol=lf archive --format=tar HEAD | sha256sum',
    );
    await git('config', 'tar.umask', '0077');
    await git('config', 'core.autocrlf', 'true');
    expect(`${await archiveSha256(await source())}  -\n`).toBe(stdout);
  });

  test('is another for another commit, and refused for one that is not there', async () => {
    const before = await archiveSha256(await source());
    await writeFile(join(repository, 'app', 'Dockerfile'), 'FROM other\n');
    await git('commit', '-q', '-a', '-m', 'second');
    expect(await archiveSha256(await source())).not.toBe(before);
    await expect(archiveSha256({ root: repository, commit: '9'.repeat(40) })).rejects.toMatchObject({ reason: 'exit' });
  });
});

describe('HEAD', () => {
  test('is read from any folder of the repository, whatever its working tree holds', async () => {
    const { commit, tree } = await source();
    await writeFile(join(repository, 'dirt'), '');
    expect(await readHead(join(repository, 'app'))).toEqual({ root: repository, commit, tree });
  });

  test('is undefined where there is no repository, and where there is no commit', async () => {
    expect(await readHead(folder)).toBeUndefined();
    await mkdir(join(folder, 'empty'));
    await run({ file: 'git', argv: ['init', '-q'], cwd: join(folder, 'empty'), timeoutSeconds: 20 });
    expect(await readHead(join(folder, 'empty'))).toBeUndefined();
  });
});
