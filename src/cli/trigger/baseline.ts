import { GateError } from '../../core/gateError.js';
import { commitOf, git } from './git.js';

/** The commit that a stack's evidence is of. */
export interface ProvenCommit {
  readonly stack: string;
  readonly commit: string;
  /** RFC 3339. */
  readonly finishedAt: string;
}

export interface Baseline {
  /** A commit, or the empty tree. */
  readonly id: string;
  /** Which one it is, and why that one. */
  readonly words: string;
}

/** What git (SHA-1) calls a tree without files, whether the repository has it or not. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * What a change is measured from: where HEAD left `since`; without it the commit that was last proven; without evidence, or where
 * this repository lacks that commit, where HEAD left its upstream; without that, or with nothing since, the commit before HEAD.
 * @throws GateError `usage.unknown-ref`.
 */
export async function chooseBaseline(
  folder: string,
  since: string | undefined,
  proven: ProvenCommit | undefined,
): Promise<Baseline> {
  if (since !== undefined) return sinceBaseline(folder, since);
  const provenCommit = proven && (await commitOf(folder, proven.commit));
  if (proven && provenCommit !== undefined) {
    const words = `the commit that was last proven, ${short(provenCommit)} (stack ${proven.stack}, ${proven.finishedAt})`;
    return { id: provenCommit, words };
  }
  const why = proven
    ? `stack ${proven.stack} was proven with ${short(proven.commit)}, which this repository lacks`
    : 'nothing was proven yet';
  const head = await commitOf(folder, 'HEAD');
  const upstream = await commitOf(folder, '@{upstream}');
  const left = upstream && (await mergeBase(folder, upstream));
  if (left && left !== head) return { id: left, words: `where HEAD left its upstream, ${short(left)}; ${why}` };
  const before = await commitOf(folder, 'HEAD~1');
  if (before) return { id: before, words: `the commit before HEAD, ${short(before)}; ${why}` };
  return { id: emptyTree, words: `nothing: HEAD is the first commit; ${why}` };
}

async function sinceBaseline(folder: string, since: string): Promise<Baseline> {
  const commit = await commitOf(folder, since);
  if (commit === undefined) {
    throw new GateError({
      layer: 'usage',
      code: 'usage.unknown-ref',
      message: `"${since}" is no commit of this repository: give --since a branch, tag or commit that it has`,
    });
  }
  const left = await mergeBase(folder, commit);
  if (left === undefined) return { id: commit, words: `${since}, ${short(commit)}, with which HEAD shares no commit` };
  return { id: left, words: `where HEAD left ${since}, ${short(left)}` };
}

async function mergeBase(folder: string, commit: string): Promise<string | undefined> {
  const base = await git(folder, 'merge-base', commit, 'HEAD').catch(() => '');
  return base.trim() || undefined;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
