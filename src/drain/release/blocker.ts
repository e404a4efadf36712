import type { Blocker } from '../../api/workspaceStatus.js';
import { oneLine } from '../../core/boundedText.js';
import type { OwnedObject } from './snapshot.js';

/** As the CRD bounds the texts of a blocker. */
const longestText = 1024;
const mostKeys = 16;

/** A blocker within the bounds of the status; empty fields are left out. */
export function blocker(of: {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly queue?: string;
  readonly clusterQueue?: string;
  readonly labelKeys?: readonly string[];
  readonly class: Blocker['class'];
  readonly release: string;
}): Blocker {
  const { apiVersion, kind, namespace, name, uid, queue, clusterQueue, labelKeys = [] } = of;
  return {
    ...(apiVersion ? { apiVersion } : {}),
    kind,
    ...(namespace ? { namespace } : {}),
    name: oneLine(name, longestText),
    ...(uid ? { uid } : {}),
    ...(queue ? { queue: oneLine(queue, longestText) } : {}),
    ...(clusterQueue ? { clusterQueue: oneLine(clusterQueue, longestText) } : {}),
    ...(labelKeys.length > 0 ? { labelKeys: labelKeys.slice(0, mostKeys) } : {}),
    class: of.class,
    release: oneLine(of.release, longestText),
  };
}

/** How an acknowledgement names a blocker: `Job/train-1/<uid>`. The UID makes it this object and no other of its name. */
export function blockerId({ kind, name, uid = '' }: { kind: string; name: string; uid?: string }): string {
  return `${kind}/${name}/${uid}`;
}

/** An object of the workspace that must be gone before something else may go. */
export function standing(object: OwnedObject): Blocker {
  const { apiVersion, kind, namespace = '', name, uid, deleting } = object;
  const finalizing =
    kind === 'ClusterQueue'
      ? 'Kueue takes its finalizer off: no Workload holds its quota'
      : 'its finalizers are taken off';
  const release = deleting ? finalizing : 'it is deleted and seen gone';
  return blocker({ apiVersion, kind, namespace, name, uid, class: deleting ? 'running' : 'pending', release });
}
