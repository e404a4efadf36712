import type { KubeObject, OwnerReference } from '../../cluster/objects.js';
import { at } from './json.js';
import { isTerminating } from './podFacts.js';
import { readRayTopology, type TopologyReading } from './rayTopology.js';
import { conditionMessage } from './rolloutFacts.js';

export interface RayClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly terminating: boolean;
  /** A suspended one has no pods, and gets none. */
  readonly suspended: boolean;
  /** Of KubeRay's condition ReplicaFailure (1.6.2): pods that cannot be created or deleted. */
  readonly replicaFailure: string | undefined;
  readonly topology: TopologyReading;
}

export function readRayCluster(object: KubeObject): RayClusterFacts {
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    owners: object.metadata.ownerReferences ?? [],
    terminating: isTerminating(object),
    suspended: at(object['spec'], 'suspend') === true,
    replicaFailure: conditionMessage(object['status'], 'ReplicaFailure', 'True'),
    topology: readRayTopology(object['spec']),
  };
}
