import type { Cell } from '../index/cell.js';
import { members } from '../index/sortedSet.js';
import { defaultKueueConfiguration } from '../routes/kueueConfiguration.js';
import { labelsWithout, type MarkKeys, ownMarks } from '../routes/namespaceMarks.js';
import { type Route, routeOf } from '../routes/route.js';
import type { DrainSnapshot, NamespaceSnapshot } from './snapshot.js';

/** A cell of a namespace's work with its route. */
export interface CellView {
  readonly cell: Cell;
  readonly route: Route;
  readonly namespace: NamespaceView;
}

/** A namespace with the routes of its work resolved, once for all decisions. */
export interface NamespaceView {
  readonly snapshot: NamespaceSnapshot;
  /** Marks that the workspace may take off. */
  readonly keys: MarkKeys;
  readonly cells: readonly CellView[];
}

export function viewOf(snapshot: NamespaceSnapshot, whole: DrainSnapshot): NamespaceView {
  const keys = ownMarks(snapshot, whole.workspace.uid, snapshot.written);
  const evidence = {
    before: snapshot.labels,
    after: labelsWithout(snapshot.labels, keys.labels),
    // An unreadable configuration keeps everything on its own account (evidence.ts).
    kueue: whole.kueue.kind === 'found' ? whole.kueue.value : defaultKueueConfiguration,
    localQueues: snapshot.localQueues,
    clusterQueues: whole.clusterQueues,
    recorded: whole.recorded,
  };
  const cells: CellView[] = [];
  const namespace: NamespaceView = { snapshot, keys, cells };
  for (const cell of members(snapshot.work.cells)) cells.push({ cell, route: routeOf(cell, evidence), namespace });
  return namespace;
}
