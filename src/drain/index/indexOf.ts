import type { MalformedWork, WorkItem } from '../sources/readWork.js';
import { type CellKey, cellId, cellOrder, isSameCell, itemOrder, nameOrder } from './cell.js';
import { childOf, childOrder, isKept, isMalformed, keyIn, unsupportedOwners } from './placement.js';
import { setOf } from './sortedSet.js';
import type { Child, Work, WorkIndex } from './workIndex.js';

/** A cell while it is being filled. */
interface Filling {
  readonly id: string;
  readonly key: CellKey;
  readonly items: WorkItem[];
}
const recentCells = 16;

/** All at once: as adding one object after the other to an empty index, only faster. */
export function indexOf(works: readonly Work[]): WorkIndex {
  const all = setOf<Work>(works, nameOrder);
  // Filtered only now: a finished Workload also stands for an earlier reading of itself.
  const entries = works.every(isKept)
    ? all
    : setOf(
        all.chunks.flatMap((chunk) => chunk.filter(isKept)),
        nameOrder,
      );
  const cells = new Map<string, Filling>();
  const recent: Filling[] = [];
  let seen = 0;
  const malformed: MalformedWork[] = [];
  const children: Child[] = [];
  const unsupported = new Map<string, number>();
  for (const work of entries.chunks.flat()) {
    if (isMalformed(work)) malformed.push(work);
    for (const owner of unsupportedOwners(work)) unsupported.set(owner, (unsupported.get(owner) ?? 0) + 1);
    const child = childOf(work);
    if (child) children.push(child);
    const key = keyIn(entries, work);
    if (!key) continue;
    // Neighbours are alike: the cell of one or the other just seen needs no id.
    let cell = recent.find((each) => isSameCell(each.key, key));
    if (!cell) {
      const id = cellId(key);
      cell = cells.get(id) ?? { id, key, items: [] };
      cells.set(id, cell);
      recent[seen++ % recentCells] = cell;
    }
    cell.items.push(work as WorkItem);
  }
  const filled = [...cells.values()].map(({ id, key, items }) => ({
    ...key,
    id,
    items: setOf(byPhase(items), itemOrder),
  }));
  return {
    entries,
    cells: setOf(filled, cellOrder),
    malformed: setOf(malformed, nameOrder),
    children: setOf(children, childOrder),
    unsupported,
  };
}

/** In the order of reports, of items that are in the order of names: nothing is compared. */
function byPhase(items: readonly WorkItem[]): readonly WorkItem[] {
  return (['stuck', 'running', 'pending'] as const).flatMap((phase) =>
    items.filter((each) => each.state.phase === phase),
  );
}
