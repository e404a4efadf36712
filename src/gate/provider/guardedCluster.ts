import type { Cluster } from '../../cluster/cluster.js';

/** The cluster, whose writes wait for `allow` first: what that throws is the write's failure, and nothing is sent. */
export function guardedCluster(cluster: Cluster, allow: () => Promise<void>): Cluster {
  const guarded =
    <Arguments extends readonly unknown[], Result>(write: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await allow();
      return write(...given);
    };
  return {
    ...cluster,
    create: guarded(cluster.create),
    apply: guarded(cluster.apply),
    patch: guarded(cluster.patch),
    remove: guarded(cluster.remove),
  };
}
