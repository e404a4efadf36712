import type { MalformedWork, Owner, WorkItem } from '../sources/readWork.js';
import { sourceKindOf } from '../sources/table.js';
import { type CellKey, cellKeyOf, nameOrder, type WorkName } from './cell.js';
import { memberOf, type SortedSet } from './sortedSet.js';
import type { Child, Work } from './workIndex.js';

export const isMalformed = (work: Work): work is MalformedWork => 'malformed' in work;
const isFinished = (work: Work): boolean => !isMalformed(work) && work.state.phase === 'finished';

/** Whether an index keeps an object at all. A finished source stays, since what it controls is judged by it. */
export function isKept(work: Work): boolean {
  return !isFinished(work) || !(work as WorkItem).row.admittedTo;
}

export function childOrder(a: Child, b: Child): number {
  const owner = nameOrder({ rank: a.ownerRank, name: a.ownerName }, { rank: b.ownerRank, name: b.ownerName });
  return owner || nameOrder(a, b);
}

/** The entry of a queued object below its controller, when that is of a kind that ends. */
export function childOf(work: Work): Child | undefined {
  if (isMalformed(work) || !work.queue || work.row.admittedTo) return undefined;
  const controller = work.owners.find((owner) => owner.controller);
  const known = controller && sourceKindOf(controller.apiVersion, controller.kind);
  if (!controller || !known || known.row.endless) return undefined;
  return { ownerRank: known.rank, ownerName: controller.name, rank: work.rank, name: work.name };
}

/**
 * Whether the object stands in no queue of its own since its controller did, and that is over (Kueue 0.17, FindAncestorJobManagedByKueue).
 * KubeRay copies a RayJob's queue label to its RayCluster, which lives on after the RayJob and never ends by itself. While the controller is
 * unfinished both count: then owners that refer to each other in a circle hide nothing.
 */
function isLed(entries: SortedSet<Work>, work: WorkItem): boolean {
  const child = childOf(work);
  if (!child) return false;
  const owner = memberOf<WorkName, Work>(entries, { rank: child.ownerRank, name: child.ownerName }, nameOrder);
  if (!owner || isMalformed(owner) || !owner.queue) return false;
  const same = work.owners.some((each) => each.controller && each.uid === owner.uid);
  return same && owner.state.phase === 'finished';
}

/** The cell of an object among these entries; none for what is finished or cannot be understood. */
export function keyIn(entries: SortedSet<Work>, work: Work): CellKey | undefined {
  return isMalformed(work) || isFinished(work) ? undefined : cellKeyOf(work, isLed(entries, work));
}

function isKnown({ apiVersion, kind }: Owner): boolean {
  return sourceKindOf(apiVersion, kind) !== undefined;
}

/** `group/Kind` of the owners of an unfinished Workload that no row describes. */
export function unsupportedOwners(work: Work): readonly string[] {
  if (isMalformed(work) || !work.row.admittedTo || isFinished(work)) return [];
  if (work.owners.every(isKnown)) return [];
  return work.owners
    .filter((owner) => !isKnown(owner))
    .map((owner) => `${owner.apiVersion.includes('/') ? owner.apiVersion.split('/')[0] : ''}/${owner.kind}`);
}
