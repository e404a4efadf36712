import type { WorkItem } from '../sources/readWork.js';
import { type Cell, type CellKey, cellId, cellOrder, itemOrder, nameOrder, type WorkName } from './cell.js';
import { childOf, childOrder, isKept, isMalformed, keyIn, unsupportedOwners } from './placement.js';
import { emptySet, memberOf, membersFrom, type SortedSet, withMember, withoutMember } from './sortedSet.js';
import type { Work, WorkIndex } from './workIndex.js';

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
