import type { Blocker } from '../../api/workspaceStatus.js';
import { nameOrder, type WorkName } from '../index/cell.js';
import { memberOf } from '../index/sortedSet.js';
import type { Work } from '../index/workIndex.js';
import type { MalformedWork, WorkItem } from '../sources/readWork.js';
import type { SourceKind } from '../sources/sourceKind.js';
import { sourceKindOf } from '../sources/table.js';
import { blocker } from './blocker.js';
import type { NamespaceSnapshot } from './snapshot.js';
import type { CellView } from './views.js';

/** An object that should have been gone for so long does not go by itself. */
const stuckAfterMs = 300_000;

/** The group and version of a row's objects. */
export function apiVersionOf({ group, versions }: SourceKind): string {
  return group === '' ? (versions[0] ?? '') : `${group}/${versions[0]}`;
}

/** What one unfinished object blocks with, and what would release it. */
export function workBlocker(item: WorkItem, view: CellView, nowMs: number): Blocker {
  const { cell, route, namespace } = view;
  const remedy = remedyOf(item, view, nowMs);
  return blocker({
    apiVersion: apiVersionOf(item.row),
    kind: item.row.kind,
    namespace: namespace.snapshot.name,
    name: item.name,
    uid: item.uid,
    queue: cell.queue,
    clusterQueue: route.needing ?? route.clusterQueues[0] ?? '',
    labelKeys: route.labelKeys,
    class: remedy !== undefined ? 'needs-operator' : item.state.phase === 'running' ? 'running' : 'pending',
    release: remedy ?? endOf(item),
  });
}

/** What an operator must do for work that will not go on by itself; undefined while it may. */
function remedyOf(item: WorkItem, { cell, route, namespace }: CellView, nowMs: number): string | undefined {
  if (item.state.phase === 'stuck') return item.state.remedy;
  if (item.goneBy !== undefined && nowMs - item.goneBy > stuckAfterMs)
    return `it should have been gone at ${new Date(item.goneBy).toISOString()}: look at its finalizers and its node`;
  if (isOrphan(item, namespace.snapshot)) return 'what it belongs to is gone: delete it';
  if (item.state.phase === 'pending' && cell.managed === 'yes' && route.closed !== undefined)
    return `${route.closed}, so it will not start: open the queue or delete it`;
  return undefined;
}

function endOf(item: WorkItem): string {
  if (item.row.endless) return 'it is deleted: it does not end by itself';
  const where = item.remoteCluster === '' ? '' : ` on cluster ${item.remoteCluster}`;
  return `it is finished${where} or deleted`;
}

/**
 * Whether the owners of a Workload are all gone: each of a kind that was read, none there under its UID. One that has no owner yet may have
 * been made before it (a prebuilt Workload).
 */
function isOrphan(item: WorkItem, { work, reads }: NamespaceSnapshot): boolean {
  if (!item.row.admittedTo || item.owners.length === 0) return false;
  return item.owners.every((owner) => {
    const known = sourceKindOf(owner.apiVersion, owner.kind);
    if (!known || reads.get(known.row)?.kind !== 'found') return false;
    const there = memberOf<WorkName, Work>(work.entries, { rank: known.rank, name: owner.name }, nameOrder);
    return there?.uid !== owner.uid;
  });
}

export function malformedBlocker(work: MalformedWork, namespace: string): Blocker {
  return blocker({
    apiVersion: apiVersionOf(work.row),
    kind: work.row.kind,
    namespace,
    name: work.name,
    uid: work.uid,
    class: 'unreadable',
    release: `it can be understood (${work.malformed}) or is deleted`,
  });
}
