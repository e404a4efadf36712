import type { MalformedWork, WorkItem } from '../sources/readWork.js';
import { sourceKindOf } from '../sources/table.js';
import { type Cell, type CellKey, cellId, cellKeyOf, cellOrder, itemOrder, nameOrder, type WorkName } from './cell.js';
import {
  emptySet,
  memberOf,
  members,
  membersFrom,
  type SortedSet,
  setOf,
  withMember,
  withoutMember,
} from './sortedSet.js';

export type Work = WorkItem | MalformedWork;

/** A queued object below what controls it, for when that changes. */
interface Child extends WorkName {
  readonly ownerRank: number;
  readonly ownerName: string;
}

/**
 * The work of one namespace, as a value: adding, replacing or removing one object gives another index and costs the same whether the
 * namespace holds ten objects or 100,000. Finished Workloads take no room in it.
 */
export interface WorkIndex {
  /** Everything but finished Workloads, by kind and name. */
  readonly entries: SortedSet<Work>;
  /** What is unfinished, by what it needs. */
  readonly cells: SortedSet<Cell>;
  readonly malformed: SortedSet<MalformedWork>;
  readonly children: SortedSet<Child>;
  /** `group/Kind` of owners of unfinished Workloads that the table of sources lacks, with the number of Workloads. */
  readonly unsupported: ReadonlyMap<string, number>;
}

export const emptyIndex: WorkIndex = {
  entries: emptySet(),
  cells: emptySet(),
  malformed: emptySet(),
  children: emptySet(),
  unsupported: new Map(),
};

const isMalformed = (work: Work): work is MalformedWork => 'malformed' in work;
const isFinished = (work: Work): boolean => !isMalformed(work) && work.state.phase === 'finished';

/** Whether an index keeps an object at all. A finished source stays, since what it controls is judged by it. */
export function isKept(work: Work): boolean {
  return !isFinished(work) || !(work as WorkItem).row.admittedTo;
}

function childOrder(a: Child, b: Child): number {
  const owner = nameOrder({ rank: a.ownerRank, name: a.ownerName }, { rank: b.ownerRank, name: b.ownerName });
  return owner || nameOrder(a, b);
}

/** The entry of a queued object below its controller, when the controller's kind stands in queues for its children. */
function childOf(work: Work): Child | undefined {
  if (isMalformed(work) || !work.queue || work.row.admittedTo) return undefined;
  const controller = work.owners.find((owner) => owner.controller);
  const known = controller && sourceKindOf(controller.apiVersion, controller.kind);
  if (!controller || !known?.row.queuesForChildren) return undefined;
  return { ownerRank: known.rank, ownerName: controller.name, rank: work.rank, name: work.name };
}

/**
 * Whether Kueue queues the object's controller instead (Kueue 0.17, FindAncestorJobManagedByKueue): KubeRay copies a RayJob's queue label to
 * its RayCluster. While the controller is unfinished and in another queue both count: to wait for too much loses nothing.
 */
function isLed(entries: SortedSet<Work>, work: WorkItem): boolean {
  const child = childOf(work);
  if (!child) return false;
  const owner = memberOf<WorkName, Work>(entries, { rank: child.ownerRank, name: child.ownerName }, nameOrder);
  if (!owner || isMalformed(owner) || !owner.queue) return false;
  const same = work.owners.some((each) => each.controller && each.uid === owner.uid);
  return same && (owner.state.phase === 'finished' || owner.queue === work.queue);
}

function keyIn(entries: SortedSet<Work>, work: Work): CellKey | undefined {
  return isMalformed(work) || isFinished(work) ? undefined : cellKeyOf(work, isLed(entries, work));
}

function unsupportedOwners(work: Work): readonly string[] {
  if (isMalformed(work) || !work.row.admittedTo || isFinished(work)) return [];
  return work.owners
    .filter((owner) => !sourceKindOf(owner.apiVersion, owner.kind))
    .map((owner) => `${owner.apiVersion.includes('/') ? owner.apiVersion.split('/')[0] : ''}/${owner.kind}`);
}

/** All at once: as adding one object after the other to an empty index, only faster. */
export function indexOf(works: readonly Work[]): WorkIndex {
  const entries = setOf<Work>(works, nameOrder);
  const kept = setOf([...members(entries)].filter(isKept), nameOrder);
  const cells = new Map<string, { key: CellKey; items: WorkItem[] }>();
  const malformed: MalformedWork[] = [];
  const children: Child[] = [];
  const unsupported = new Map<string, number>();
  for (const work of members(kept)) {
    if (isMalformed(work)) malformed.push(work);
    for (const owner of unsupportedOwners(work)) unsupported.set(owner, (unsupported.get(owner) ?? 0) + 1);
    const child = childOf(work);
    if (child) children.push(child);
    const key = keyIn(kept, work);
    if (!key) continue;
    const id = cellId(key);
    const cell = cells.get(id);
    if (cell) cell.items.push(work as WorkItem);
    else cells.set(id, { key, items: [work as WorkItem] });
  }
  const filled = [...cells].map(([id, { key, items }]) => ({ ...key, id, items: setOf(items, itemOrder) }));
  return {
    entries: kept,
    cells: setOf(filled, cellOrder),
    malformed: setOf(malformed, nameOrder),
    children: setOf(children, childOrder),
    unsupported,
  };
}

/** With the object, in place of the one of the same kind and name. */
export function withWork(index: WorkIndex, work: Work): WorkIndex {
  return isKept(work) ? changed(index, work, work) : withoutWork(index, work);
}

/** Without the object of this kind and name. */
export function withoutWork(index: WorkIndex, name: WorkName): WorkIndex {
  return changed(index, name, undefined);
}

function changed(index: WorkIndex, name: WorkName, next: Work | undefined): WorkIndex {
  const old = memberOf<WorkName, Work>(index.entries, name, nameOrder);
  if (!old && !next) return index;
  const entries = next
    ? withMember<Work>(index.entries, next, nameOrder)
    : withoutMember(index.entries, name, nameOrder);
  let { cells, malformed, children, unsupported } = index;
  if (old) {
    if (isMalformed(old)) malformed = withoutMember(malformed, old, nameOrder);
    else cells = taken(cells, old, keyIn(index.entries, old));
    const child = childOf(old);
    if (child) children = withoutMember(children, child, childOrder);
    unsupported = counted(unsupported, unsupportedOwners(old), -1);
  }
  if (next) {
    if (isMalformed(next)) malformed = withMember(malformed, next, nameOrder);
    else cells = put(cells, next, keyIn(entries, next));
    const child = childOf(next);
    if (child) children = withMember(children, child, childOrder);
    unsupported = counted(unsupported, unsupportedOwners(next), 1);
  }
  const below = { ownerRank: name.rank, ownerName: name.name };
  for (const child of membersFrom(children, { ...below, rank: -1, name: '' }, childOrder)) {
    if (child.ownerRank !== below.ownerRank || child.ownerName !== below.ownerName) break;
    const work = memberOf<WorkName, Work>(entries, child, nameOrder);
    if (!work || isMalformed(work)) continue;
    cells = put(taken(cells, work, keyIn(index.entries, work)), work, keyIn(entries, work));
  }
  return { entries, cells, malformed, children, unsupported };
}

function put(cells: SortedSet<Cell>, work: WorkItem, key: CellKey | undefined): SortedSet<Cell> {
  if (!key) return cells;
  const id = cellId(key);
  const items = memberOf<Pick<Cell, 'id'>, Cell>(cells, { id }, cellOrder)?.items ?? emptySet<WorkItem>();
  return withMember<Cell>(cells, { ...key, id, items: withMember(items, work, itemOrder) }, cellOrder);
}

function taken(cells: SortedSet<Cell>, work: WorkItem, key: CellKey | undefined): SortedSet<Cell> {
  if (!key) return cells;
  const cell = memberOf<Pick<Cell, 'id'>, Cell>(cells, { id: cellId(key) }, cellOrder);
  if (!cell) return cells;
  const items = withoutMember(cell.items, work, itemOrder);
  return items.size > 0
    ? withMember<Cell>(cells, { ...cell, items }, cellOrder)
    : withoutMember(cells, cell, cellOrder);
}

function counted(
  counts: ReadonlyMap<string, number>,
  names: readonly string[],
  by: 1 | -1,
): ReadonlyMap<string, number> {
  if (names.length === 0) return counts;
  const next = new Map(counts);
  for (const name of names) {
    const count = (next.get(name) ?? 0) + by;
    if (count > 0) next.set(name, count);
    else next.delete(name);
  }
  return next;
}

/** LocalQueues that unfinished work names; each must be read before a decision. */
export function queuesNamed(index: WorkIndex): readonly string[] {
  const names = new Set<string>();
  for (const cell of members(index.cells)) if (cell.queue !== '') names.add(cell.queue);
  return [...names].sort();
}

/** ClusterQueues whose quota unfinished work holds; each must be read too, beside those that the LocalQueues lead to. */
export function queuesHeld(index: WorkIndex): readonly string[] {
  const names = new Set<string>();
  for (const cell of members(index.cells)) if (cell.admittedTo !== '') names.add(cell.admittedTo);
  return [...names].sort();
}
