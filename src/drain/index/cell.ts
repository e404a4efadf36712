import type { WorkItem } from '../sources/readWork.js';
import type { SortedSet } from './sortedSet.js';

/**
 * What of an unfinished object decides which releases it blocks; objects that agree in all of it share one cell of the index, so that a
 * decision looks at cells and never at each object.
 */
export interface CellKey {
  /** `yes`: Kueue looks after it. `unnamed`: it names no queue, so Kueue does only when told to. `no`: Kueue never does. */
  readonly managed: 'yes' | 'unnamed' | 'no';
  /** Empty: none. */
  readonly queue: string;
  readonly admittedTo: string;
  readonly remoteCluster: string;
  readonly accounts: readonly string[] | 'any';
}

export interface Cell extends CellKey {
  readonly id: string;
  readonly items: SortedSet<WorkItem>;
}

export function cellOrder(a: Pick<Cell, 'id'>, b: Pick<Cell, 'id'>): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Equal for equal keys and for no others, whatever characters a name holds: JSON, since names of CRDs may not have been checked. */
export function cellId({ managed, queue, admittedTo, remoteCluster, accounts }: CellKey): string {
  return JSON.stringify([managed, queue, admittedTo, remoteCluster, accounts]);
}

/** Whether two keys have one id, found out in less time. */
export function isSameCell(a: CellKey, b: CellKey): boolean {
  return (
    a.queue === b.queue &&
    a.admittedTo === b.admittedTo &&
    a.managed === b.managed &&
    a.remoteCluster === b.remoteCluster &&
    (a.accounts === b.accounts ||
      (a.accounts !== 'any' &&
        b.accounts !== 'any' &&
        a.accounts.length === b.accounts.length &&
        a.accounts.every((each, at) => each === b.accounts[at])))
  );
}

/** Where an unfinished object belongs. `led`: what controls it stood in the queue for it. */
export function cellKeyOf(item: WorkItem, led: boolean): CellKey {
  const { queue, admittedTo, remoteCluster, accounts } = item;
  if (queue === undefined || led) return { managed: 'no', queue: '', admittedTo: '', remoteCluster: '', accounts };
  // Only what Kueue itself makes can be admitted, and that it looks after with or without a queue's name.
  const managed = queue !== '' || item.row.admittedTo ? 'yes' : 'unnamed';
  return { managed, queue, admittedTo, remoteCluster, accounts };
}

const phases = { stuck: 0, running: 1, pending: 2, finished: 3 } as const;

/** In the order of reports: what needs a hand first, then what runs; within that by kind and name. */
export function itemOrder(a: WorkItem, b: WorkItem): number {
  return phases[a.state.phase] - phases[b.state.phase] || nameOrder(a, b);
}

/** One object of a namespace. */
export interface WorkName {
  readonly rank: number;
  readonly name: string;
}

export function nameOrder(a: WorkName, b: WorkName): number {
  return a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
