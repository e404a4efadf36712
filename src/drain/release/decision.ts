import type { Blocker } from '../../api/workspaceStatus.js';
import { blockersOf, countOf, type Hold } from './hold.js';

/**
 * Whether one object of a workspace may go.
 *
 * - `release`: now, with the preconditions that stand beside it.
 * - `confirm`: nothing keeps it by cached evidence. Read live and decide again: no cache is good enough for what cannot be undone.
 * - `keep`: the first blockers, and how many there are.
 */
export type Decision =
  | { readonly kind: 'release' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'keep'; readonly blockers: readonly Blocker[]; readonly count: number };

export function decisionOf(
  of: Hold,
  by: { readonly evidence: 'live' | 'cached'; readonly listed: number; readonly nowMs: number },
): Decision {
  const count = countOf(of);
  if (count > 0) return { kind: 'keep', blockers: blockersOf(of, by.listed, by.nowMs), count };
  return { kind: by.evidence === 'live' ? 'release' : 'confirm' };
}
