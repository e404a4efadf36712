import { GateError } from '../../core/gateError.js';
import { childEnvironment } from '../../host/environment.js';
import { isProcessFailure, run } from '../../host/process.js';

const timeoutSeconds = 60;

/**
 * Paths that differ between the working tree, untracked files included, and where the branch left `since`. A renamed file
 * counts under both of its names.
 * @throws GateError `usage.unknown-ref`.
 */
export async function changedPaths(folder: string, since: string): Promise<readonly string[]> {
  const commit = await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`).catch(
    (error: unknown) => {
      if (!isProcessFailure(error)) throw error;
      throw new GateError({
        layer: 'usage',
        code: 'usage.unknown-ref',
        message: `"${since}" is no commit of this repository: give --since a branch, tag or commit that it has`,
      });
    },
  );
  const base = await git(folder, 'merge-base', commit.trim(), 'HEAD').catch(() => commit);
  const [changed, untracked] = await Promise.all([
    git(folder, 'diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', base.trim(), '--'),
    git(folder, 'ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set(`${changed}${untracked}`.split('\0').filter((path) => path !== ''))].sort();
}

async function git(folder: string, ...argv: readonly string[]): Promise<string> {
  const env = childEnvironment('git', { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' });
  return (await run({ file: 'git', argv, cwd: folder, env, timeoutSeconds })).stdout;
}
