import type { KubeObject } from '../../cluster/objects.js';
import { readRayTopology, type TopologyReading } from './rayTopology.js';

export interface RayClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly terminating: boolean;
  readonly topology: TopologyReading;
}

export function readRayCluster(object: KubeObject): RayClusterFacts {
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    terminating: object.metadata.deletionTimestamp !== undefined,
    topology: readRayTopology(object['spec']),
  };
}
