import type { KindRef, KubeObject } from '../../cluster/objects.js';
import type { NamespaceFacts } from '../model/namespaceFacts.js';
import type { ReadingCluster } from './readingCluster.js';

/** What there is of a kind, at most 500 objects; nothing, and a note of it, when it cannot be read. */
export async function listOr(
  cluster: ReadingCluster,
  kind: KindRef,
  namespace: string | undefined,
  unread: NamespaceFacts['unread'][number][],
): Promise<readonly KubeObject[]> {
  const listed = await cluster.list(kind, { ...(namespace !== undefined && { namespace }), atMost: 500 });
  if (listed.kind === 'found') return listed.value.items;
  if (listed.kind === 'unreadable') unread.push({ what: kind.kind, reason: listed.reason });
  return [];
}
