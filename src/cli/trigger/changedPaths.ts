import { git } from './git.js';

export interface ChangedPaths {
  /** What differs between the base and the working tree, untracked files included. A renamed file counts under both of its names. */
  readonly paths: readonly string[];
  /** Those of them that no commit holds yet. */
  readonly uncommitted: readonly string[];
}

/** `base`: a commit or tree that the repository has. */
export async function changedPaths(folder: string, base: string): Promise<ChangedPaths> {
  const diff = (from: string) => git(folder, 'diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', from, '--');
  const [changed, edited, untracked] = await Promise.all([
    diff(base),
    diff('HEAD'),
    git(folder, 'ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return { paths: listed(changed + edited + untracked), uncommitted: listed(edited + untracked) };
}

function listed(text: string): readonly string[] {
  return [...new Set(text.split('\0').filter((path) => path !== ''))].sort();
}
