import type { Cluster } from '../../cluster/cluster.js';
import { type KindRef, kindName } from '../../cluster/objects.js';

/** A cluster that can only be looked at. */
export type ReadingCluster = Pick<Cluster, 'get' | 'list' | 'servedKinds'>;

/**
 * Lets through reads of the given kinds, and of any other kind its metadata alone; whatever else is asked is an error of this
 * program, and nothing is sent.
 */
export function readingCluster(cluster: Cluster, allowed: readonly KindRef[]): ReadingCluster {
  const names = new Set(allowed.map(kindName));
  const refuse = (kind: KindRef) => {
    if (!names.has(kindName(kind))) throw new Error(`${kindName(kind)} is not among the kinds that may be read here`);
  };
  return {
    get: async (ref) => {
      refuse(ref);
      return cluster.get(ref);
    },
    list: async (kind, options) => {
      if (!options?.metadataOnly) refuse(kind);
      return cluster.list(kind, options);
    },
    servedKinds: () => cluster.servedKinds(),
  };
}
