import { needsLabels } from '../routes/route.js';
import { blocker, standing } from './blocker.js';
import { kueueFaults, routeBlocker, unreadKinds } from './evidence.js';
import { type Hold, hold, joined } from './hold.js';
import type { DrainSnapshot, OwnedAccount, OwnedObject } from './snapshot.js';
import type { CellView, NamespaceView } from './views.js';

/** Table 13.1, a function a row: what keeps each object of a workspace. Every row but the grants' holds while evidence is missing. */

/** What keeps everything: kinds that were not read, objects that cannot be understood, Kueue unreadable or gone. */
export function missingEvidence(namespace: NamespaceView, whole: DrainSnapshot): Hold {
  const { snapshot } = namespace;
  return hold({
    malformed: snapshot.work.malformed.size > 0 ? [namespace] : [],
    evidence: [...unreadKinds(snapshot, whole), ...kueueFaults(whole)],
  });
}

/** Work, and the queues in its way that cannot be judged. */
function withFaults(views: readonly CellView[]): Hold {
  const evidence = views.flatMap(({ route, namespace }) =>
    route.faults.map((fault) => routeBlocker(fault, namespace.snapshot.name)),
  );
  return hold({ work: views, evidence });
}

/** Namespace routing labels: work whose route needs one of them, or might. */
export function routingLabels(namespace: NamespaceView): Hold {
  return withFaults(namespace.cells.filter(({ cell, route }) => needsLabels(cell, route)));
}

/** An owned LocalQueue: work that names it, whatever its ClusterQueue selects. */
export function localQueue(namespace: NamespaceView, queue: OwnedObject): Hold {
  const work = namespace.cells.filter(({ cell }) => cell.managed === 'yes' && cell.queue === queue.name);
  const live = namespace.snapshot.localQueues.get(queue.name);
  // Read twice, a moment apart: another queue by now.
  const other = live?.kind === 'found' && live.value.uid !== queue.uid;
  return hold({ work, evidence: other ? [changedMeanwhile(queue)] : [] });
}

/** The owned ClusterQueue: work that holds its quota or reaches it through a LocalQueue, in any namespace of the workspace. */
export function clusterQueue(namespaces: readonly NamespaceView[], queue: OwnedObject, whole: DrainSnapshot): Hold {
  const reaching = namespaces.flatMap(({ cells }) =>
    cells.filter(
      ({ route }) =>
        route.clusterQueues.includes(queue.name) || route.faults.some((each) => each.kind === 'LocalQueue'),
    ),
  );
  const recorded = whole.recorded.get(queue.name) ?? '';
  const foreign = recorded !== '' && recorded !== queue.uid;
  return joined([withFaults(reaching), hold({ evidence: foreign ? [notTheOneMade(queue, recorded)] : [] })]);
}

/** An unchanged ServiceAccount: whatever runs, or would run, as it; queued or not. */
export function account(namespace: NamespaceView, { name }: OwnedAccount): Hold {
  return hold({ work: namespace.cells.filter(({ cell }) => cell.accounts === 'any' || cell.accounts.includes(name)) });
}

/** Objects that must be seen gone first. */
export function goneFirst(objects: readonly OwnedObject[]): Hold {
  return hold({ first: objects.map(standing) });
}

function changedMeanwhile({ apiVersion, kind, namespace = '', name, uid }: OwnedObject) {
  const release = 'all is read again: it was replaced while it was being read';
  return blocker({ apiVersion, kind, namespace, name, uid, class: 'unreadable', release });
}

function notTheOneMade({ apiVersion, kind, name, uid }: OwnedObject, recorded: string) {
  const release = `an operator deletes it, or acknowledges that it may go: the workspace made one of UID ${recorded}`;
  return blocker({ apiVersion, kind, name, uid, class: 'needs-operator', release });
}
