import type { Cluster } from '../../cluster/cluster.js';
import { type KindRef, kindName } from '../../cluster/objects.js';

/** What a reader needs of a cluster. */
export type ReadingCluster = Pick<Cluster, 'get' | 'list' | 'servedKinds'>;

/**
 * A cluster that can only be looked at: it lets through reads of the given kinds, and of any other kind its metadata alone.
 * Whatever else is asked is an error of this program, and nothing is sent.
 */
export function readingCluster(cluster: Cluster, allowed: readonly KindRef[]): Cluster {
  const names = new Set(allowed.map(kindName));
  const demand = (kind: KindRef) => {
    if (!names.has(kindName(kind))) throw new Error(`${kindName(kind)} is not among the kinds that may be read here`);
  };
  const refuse = async (): Promise<never> => {
    throw new Error('this command only reads');
  };
  return {
    ...cluster,
    get: async (ref) => {
      demand(ref);
      return cluster.get(ref);
    },
    list: async (kind, options) => {
      if (!options?.metadataOnly) demand(kind);
      return cluster.list(kind, options);
    },
    create: refuse,
    apply: refuse,
    patch: refuse,
    remove: refuse,
    exec: refuse,
    logs: refuse,
  };
}
