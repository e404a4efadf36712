import type { Blocker } from '../../api/workspaceStatus.js';
import { itemOrder } from '../index/cell.js';
import { firstMembers, members } from '../index/sortedSet.js';
import type { WorkItem } from '../sources/readWork.js';
import { blockerId } from './blocker.js';
import type { CellView, NamespaceView } from './views.js';
import { malformedBlocker, workBlocker } from './workBlocker.js';

/**
 * Everything that keeps one object. Work is held by the cell, so that a hold costs the same however much work there is; holds are joined by
 * what they hold, and nothing counts twice.
 */
export interface Hold {
  readonly work: ReadonlySet<CellView>;
  /** Namespaces with objects that cannot be understood. */
  readonly malformed: ReadonlySet<NamespaceView>;
  /** Evidence that is missing, by the blocker's id. */
  readonly evidence: ReadonlyMap<string, Blocker>;
  /** Objects that go first, by the blocker's id: nothing to acknowledge, they are on their way. */
  readonly first: ReadonlyMap<string, Blocker>;
}

export function hold(of: {
  readonly work?: readonly CellView[];
  readonly malformed?: readonly NamespaceView[];
  readonly evidence?: readonly Blocker[];
  readonly first?: readonly Blocker[];
}): Hold {
  const byId = (blockers: readonly Blocker[] = []) =>
    new Map(blockers.map((each) => [`${each.namespace ?? ''}/${blockerId(each)}`, each]));
  return {
    work: new Set(of.work),
    malformed: new Set(of.malformed),
    evidence: byId(of.evidence),
    first: byId(of.first),
  };
}

export function joined(holds: readonly Hold[]): Hold {
  return {
    work: new Set(holds.flatMap((each) => [...each.work])),
    malformed: new Set(holds.flatMap((each) => [...each.malformed])),
    evidence: new Map(holds.flatMap((each) => [...each.evidence])),
    first: new Map(holds.flatMap((each) => [...each.first])),
  };
}

/** The same without what an operator may take upon himself; what goes first still goes first. */
export function acknowledged(of: Hold): Hold {
  return hold({ first: [...of.first.values()] });
}

export function countOf({ work, malformed, evidence, first }: Hold): number {
  let count = evidence.size + first.size;
  for (const { cell } of work) count += cell.items.size;
  for (const { snapshot } of malformed) count += snapshot.work.malformed.size;
  return count;
}

/** Whether anything in it is unreadable: nobody can answer for what nobody can see. */
export function isUnreadable({ malformed, evidence }: Hold): boolean {
  return malformed.size > 0 || [...evidence.values()].some((each) => each.class === 'unreadable');
}

/** The first blockers in one order: what cannot be read, then what needs an operator, then work, then what goes first. */
export function blockersOf(of: Hold, atMost: number, nowMs: number): readonly Blocker[] {
  const rank = { unreadable: 0, 'needs-operator': 1, running: 2, pending: 3 } as const;
  const name = (each: Blocker) => `${each.kind} ${each.namespace ?? ''} ${each.name} ${each.uid ?? ''}`;
  const inOrder = (blockers: Iterable<Blocker>) =>
    [...blockers].sort((a, b) => rank[a.class] - rank[b.class] || (name(a) < name(b) ? -1 : 1));
  const malformed = [...of.malformed]
    .sort((a, b) => (a.snapshot.name < b.snapshot.name ? -1 : 1))
    .flatMap(({ snapshot }) =>
      firstMembers(snapshot.work.malformed, atMost).map((each) => malformedBlocker(each, snapshot.name)),
    );
  const listed = [...inOrder(of.evidence.values()), ...malformed].slice(0, atMost);
  for (const { item, view } of firstWork(of.work, atMost - listed.length)) listed.push(workBlocker(item, view, nowMs));
  return [...listed, ...inOrder(of.first.values())].slice(0, atMost);
}

interface Placed {
  readonly item: WorkItem;
  readonly view: CellView;
}

/** The first of all cells together, looking into each only as far as it has any of them. */
function firstWork(views: ReadonlySet<CellView>, atMost: number): readonly Placed[] {
  const order = (a: Placed, b: Placed) =>
    itemOrder(a.item, b.item) || (a.view.namespace.snapshot.name < b.view.namespace.snapshot.name ? -1 : 1);
  if (views.size === 1 || atMost === Number.POSITIVE_INFINITY) {
    const all = [...views].flatMap((view) => firstMembers(view.cell.items, atMost).map((item) => ({ item, view })));
    return views.size === 1 ? all : all.sort(order);
  }
  const first: Placed[] = [];
  for (const view of views) {
    for (const item of members(view.cell.items)) {
      const placed = { item, view };
      const last = first[atMost - 1];
      if (atMost <= 0 || (last && order(placed, last) > 0)) break;
      const before = first.findIndex((each) => order(placed, each) < 0);
      first.splice(before < 0 ? first.length : before, 0, placed);
      first.length = Math.min(first.length, atMost);
    }
  }
  return first;
}
