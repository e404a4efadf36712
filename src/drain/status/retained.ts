import type { WorkspaceStatus } from '../../api/workspaceStatus.js';
import type { Outcome } from '../../core/outcome.js';

export type RetainedNamespace = NonNullable<WorkspaceStatus['retainedNamespaces']>[number];
export type RecordedQueue = NonNullable<WorkspaceStatus['queue']>;

/** As the CRD bounds the list; more are found again by their marks on every pass. */
const most = 64;

/**
 * Namespaces that the workspace left and that still bear its marks. They are found by those marks, with their UIDs, on every pass; while they
 * cannot be listed, all that were known stay known. The target is none of them, also when it was one before.
 *
 * @param now RFC 3339: since when one is retained that was not before.
 */
export function retainedNamespaces(
  known: { readonly retained: readonly RetainedNamespace[]; readonly resolved?: string; readonly target: string },
  marked: Outcome<readonly { readonly name: string; readonly uid: string }[]>,
  now: string,
): readonly RetainedNamespace[] {
  const { retained, resolved, target } = known;
  const kept: RetainedNamespace[] =
    marked.kind === 'unreadable'
      ? [
          ...retained,
          ...(resolved && !retained.some((each) => each.name === resolved) ? [{ name: resolved, since: now }] : []),
        ]
      : (marked.kind === 'found' ? marked.value : []).map(({ name, uid }) => {
          const before = retained.find((each) => each.name === name && (each.uid ?? uid) === uid);
          return { name, uid, since: before?.since ?? now };
        });
  return kept
    .filter((each) => each.name !== target)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

/** The queue to write down: what was seen ready now, or else what was seen last. A failure never clears it. */
export function recordedQueue(before: RecordedQueue | undefined, ready: Required<RecordedQueue> | undefined) {
  return ready ?? before;
}
