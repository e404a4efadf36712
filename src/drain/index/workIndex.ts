import type { MalformedWork, WorkItem } from '../sources/readWork.js';
import type { Cell, WorkName } from './cell.js';
import { emptySet, members, type SortedSet } from './sortedSet.js';

export type Work = WorkItem | MalformedWork;

/** A queued object below what controls it, for when that changes. */
export interface Child extends WorkName {
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
