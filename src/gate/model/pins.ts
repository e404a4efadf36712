import type { PodIdentity } from './identities.js';
import type { Facts } from './observation.js';
import type { StepLayer } from './plan.js';

export type PinnedKind = 'RayCluster' | 'Deployment' | 'ReplicaSet' | 'Job';

/** Something that a layer proved, and that must stay the same until the evidence. */
export interface PinnedObject {
  readonly since: StepLayer;
  readonly kind: PinnedKind;
  readonly name: string;
  readonly uid: string;
  /** UID of its controller, when it has one. */
  readonly ownerUid: string | undefined;
}

export interface PinnedPod {
  readonly since: StepLayer;
  readonly identity: PodIdentity;
  readonly ownerUid: string;
}

export interface PinSet {
  readonly objects: readonly PinnedObject[];
  /** All pods of their owners: another one under the same owner is a change too. */
  readonly pods: readonly PinnedPod[];
}

export const noPins: PinSet = { objects: [], pods: [] };

type PinsOf = { readonly [L in StepLayer]?: (facts: Facts[L]) => PinSet };

/** What each layer that proves identities pins. A layer that is not here pins nothing. */
const table: PinsOf = {
  setup: ({ jobUid }) => ({
    objects: [{ since: 'setup', kind: 'Job', name: 'django-setup', uid: jobUid, ownerUid: undefined }],
    pods: [],
  }),
  ray: ({ clusterUid, pods }) => ({
    objects: [{ since: 'ray', kind: 'RayCluster', name: 'ray', uid: clusterUid, ownerUid: undefined }],
    pods: pods.map((identity) => ({ since: 'ray', identity, ownerUid: clusterUid })),
  }),
  'app-convergence': ({ deployments }) => ({
    objects: deployments.flatMap(({ name, uid, replicaSet }) => [
      { since: 'app-convergence', kind: 'Deployment', name, uid, ownerUid: undefined } as const,
      { since: 'app-convergence', kind: 'ReplicaSet', ...replicaSet, ownerUid: uid } as const,
    ]),
    pods: deployments.flatMap(({ pods, replicaSet }) =>
      pods.map((identity) => ({ since: 'app-convergence', identity, ownerUid: replicaSet.uid }) as const),
    ),
  }),
};

export const pinningLayers = Object.keys(table) as readonly StepLayer[];

export function pinsOf<L extends StepLayer>(layer: L, facts: Facts[L]): PinSet {
  return table[layer]?.(facts) ?? noPins;
}
