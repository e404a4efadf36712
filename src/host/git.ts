import { createHash } from 'node:crypto';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from './environment.js';
import { isProcessFailure, run } from './process.js';

/** What one commit of a repository is. */
export interface SourceIdentity {
  /** The top folder of the repository, as git resolves it. */
  readonly root: string;
  /** 40 lowercase hex digits. */
  readonly commit: string;
  /** 40 lowercase hex digits: the content, whatever the commit says of it. */
  readonly tree: string;
}

export type SourceProblem = { readonly code: string; readonly detail: string };

const hexId = /^[0-9a-f]{40}$/;

/** Reads what the checkout in `folder` holds; a problem when it is no repository's top folder, is dirty, or has no commit. */
export async function readSource(
  folder: string,
  timeoutSeconds = 60,
): Promise<{ ok: true; source: SourceIdentity } | { ok: false; problem: SourceProblem }> {
  const git = async (...argv: string[]) => (await runGit(folder, argv, timeoutSeconds)).replace(/\n$/, '');
  const problem = (code: string, detail: string) => ({ ok: false, problem: { code, detail } }) as const;
  let root: string;
  try {
    root = await git('rev-parse', '--show-toplevel');
  } catch {
    return problem('source.no-repository', `"${folder}" is not in a git repository: clone the project with git.`);
  }
  const prefix = await git('rev-parse', '--show-prefix');
  if (prefix !== '') {
    return problem(
      'source.not-top',
      `"${folder}" is the sub-folder "${prefix}" of a repository: run at its top "${root}".`,
    );
  }
  const dirty = (await git('status', '--porcelain', '--untracked-files=all')).split('\n').filter((line) => line !== '');
  if (dirty.length > 0) {
    const shown = dirty
      .slice(0, 3)
      .map((line) => line.slice(3))
      .join(', ');
    const more = dirty.length > 3 ? ` and ${dirty.length - 3} more` : '';
    return problem(
      'source.dirty',
      `The working tree has uncommitted changes (${shown}${more}): commit or remove them.`,
    );
  }
  const hidden = hiddenFiles(await git('ls-files', '-v', '-z'));
  if (hidden.length > 0) {
    const shown = hidden.slice(0, 3).join(', ');
    const more = hidden.length > 3 ? ` and ${hidden.length - 3} more` : '';
    return problem(
      'source.hidden',
      `git is told not to look at changes of ${shown}${more}: git update-index --no-assume-unchanged --no-skip-worktree FILE, then commit or undo its changes.`,
    );
  }
  let commit: string;
  try {
    commit = await git('rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}');
  } catch {
    return problem('source.no-commit', 'The repository has no commit yet: commit what you want to deploy.');
  }
  const tree = await git('rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`);
  for (const id of [commit, tree]) {
    if (!hexId.test(id)) return problem('source.bad-id', `git gave "${id}" where 40 hex digits were expected.`);
  }
  return { ok: true, source: { root, commit, tree } };
}

/** Files whose changes `git status` passes over: a lowercase letter is assume-unchanged, `S` skip-worktree (git-ls-files(1)). */
function hiddenFiles(listing: string): readonly string[] {
  return listing
    .split('\0')
    .filter((entry) => /^[a-zS] /.test(entry))
    .map((entry) => entry.slice(2));
}

/** What HEAD of the repository around `folder` is, whatever the working tree holds; undefined where there is none. */
export async function readHead(folder: string, timeoutSeconds = 60): Promise<SourceIdentity | undefined> {
  try {
    const argv = ['rev-parse', '--show-toplevel', 'HEAD^{commit}', 'HEAD^{tree}'];
    const [root = '', commit = '', tree = ''] = (await runGit(folder, argv, timeoutSeconds)).trimEnd().split('\n');
    return { root, commit, tree };
  } catch (error) {
    if (isProcessFailure(error) && error.reason === 'exit') return undefined;
    throw error;
  }
}

/**
 * Unpacks the captured commit into `destination` (an existing, empty, private folder): what a build sees is what was
 * committed, never the working tree.
 * @throws ProcessFailure; Error when a `.git` appears or a required file is missing.
 */
export async function unpackCommit(
  source: SourceIdentity,
  destination: string,
  requiredFiles: readonly string[],
  timeoutSeconds = 120,
): Promise<void> {
  const tar = `${destination}.tar`;
  try {
    await runGit(source.root, ['archive', '--format=tar', `--output=${tar}`, source.commit], timeoutSeconds);
    await run({ file: 'tar', argv: ['-xf', tar, '-C', destination], timeoutSeconds });
  } finally {
    await rm(tar, { force: true });
  }
  if ((await readdir(destination)).includes('.git')) {
    throw new Error(`The archive of ${source.commit} holds a .git folder: remove it from the commit.`);
  }
  for (const file of requiredFiles) {
    try {
      await access(join(destination, file));
    } catch {
      throw new Error(`The commit ${source.commit.slice(0, 12)} lacks "${file}": add it to the repository.`);
    }
  }
}

/** Settings of a user that would change the bytes of an archive. */
const archiveSettings = ['tar.umask=0002', 'core.autocrlf=false', 'core.eol=lf', 'core.attributesFile=/dev/null'];

/**
 * SHA-256 in lowercase hex of the tar that git makes of a commit: a digest of the content that does not rest on SHA-1. By hand:
 * `git -c tar.umask=0002 -c core.autocrlf=false -c core.eol=lf archive --format=tar COMMIT | sha256sum`.
 * @throws ProcessFailure, also when the repository does not hold the commit
 */
export async function archiveSha256(
  { root, commit }: Pick<SourceIdentity, 'root' | 'commit'>,
  timeoutSeconds = 120,
): Promise<string> {
  const hash = createHash('sha256');
  const settings = archiveSettings.flatMap((setting) => ['-c', setting]);
  const argv = [...settings, 'archive', '--format=tar', commit];
  await runGit(root, argv, timeoutSeconds, (chunk) => void hash.update(chunk));
  return hash.digest('hex');
}

/** The exact content of one file of the commit; undefined when the commit has none under that path. */
export async function readCommitted(
  source: SourceIdentity,
  path: string,
  timeoutSeconds = 60,
): Promise<string | undefined> {
  try {
    return await runGit(
      source.root,
      ['show', '--no-textconv', '--end-of-options', `${source.commit}:${path}`],
      timeoutSeconds,
    );
  } catch (error) {
    if (isProcessFailure(error) && error.reason === 'exit') return undefined;
    throw error;
  }
}

async function runGit(
  folder: string,
  argv: readonly string[],
  timeoutSeconds: number,
  onStdout?: (chunk: Buffer) => void,
): Promise<string> {
  const env = childEnvironment('git', { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' });
  const options = { file: 'git', argv, cwd: folder, env, timeoutSeconds, ...(onStdout ? { onStdout } : {}) };
  return (await run(options)).stdout;
}
