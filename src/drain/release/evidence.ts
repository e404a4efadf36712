import type { optionalGroups } from '../../api/access/optionalGroups.js';
import type { Blocker } from '../../api/workspaceStatus.js';
import type { RouteFault } from '../routes/route.js';
import { workload } from '../sources/kueue.js';
import { isOptional, sourceKinds } from '../sources/table.js';
import { blocker } from './blocker.js';
import type { DrainSnapshot, NamespaceSnapshot } from './snapshot.js';
import { apiVersionOf } from './workBlocker.js';

/** Why the lists of a namespace's work prove nothing: what is missing from them could be anything. */
export function unreadKinds(namespace: NamespaceSnapshot, { kueue }: DrainSnapshot): readonly Blocker[] {
  return sourceKinds.flatMap((row) => {
    const outcome = namespace.reads.get(row);
    if (outcome?.kind === 'found') return [];
    if (outcome?.kind === 'absent') {
      // Workloads alone missing from a Kueue that is there is no proof of anything; nor is a kind missing that every cluster has.
      if (isOptional(row) && (row !== workload || kueue.kind === 'absent')) return [];
    }
    const why =
      outcome === undefined ? 'not read' : outcome.kind === 'absent' ? 'not served, though it must be' : outcome.reason;
    return blocker({
      apiVersion: apiVersionOf(row),
      kind: row.kind,
      namespace: namespace.name,
      name: '*',
      class: 'unreadable',
      release: `${row.resource} can be listed: ${why}`,
    });
  });
}

const kueueGroup: keyof typeof optionalGroups = 'kueue.x-k8s.io';

/** What is wrong with Kueue as a whole. Uninstalled, its queues are lost with all that they knew: only an operator can say that this is all right. */
export function kueueFaults({ kueue, workspace }: DrainSnapshot): readonly Blocker[] {
  const of = { kind: 'APIGroup', name: kueueGroup };
  if (kueue.kind === 'unreadable')
    return [blocker({ ...of, class: 'unreadable', release: `Kueue can be read: ${kueue.reason}` })];
  if (kueue.kind === 'found' || !workspace.hadQueues) return [];
  const release = 'Kueue is installed again, or an operator acknowledges that the workspace’s queues are gone';
  return [blocker({ ...of, class: 'needs-operator', release })];
}

/** A queue that a route cannot be judged without. A replaced one can be looked at by an operator, an unreadable one by nobody. */
export function routeBlocker({ kind, name, fault, uid, reason }: RouteFault, namespace: string): Blocker {
  return blocker({
    apiVersion: apiVersionOf(workload),
    kind,
    ...(kind === 'LocalQueue' ? { namespace } : {}),
    name,
    ...(uid === undefined ? {} : { uid }),
    class: fault === 'unreadable' ? 'unreadable' : 'needs-operator',
    release:
      fault === 'unreadable'
        ? `it can be read: ${reason}`
        : `the work in it ends, or an operator acknowledges that it was replaced: ${reason}`,
  });
}
