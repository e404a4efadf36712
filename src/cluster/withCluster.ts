import { deadlineIn } from '../core/deadline.js';
import { openCluster } from './client.js';
import type { Cluster } from './cluster.js';
import { takeSnapshot } from './snapshot.js';

export interface ClusterSource {
  readonly kubeconfigPath: string;
  readonly context: string;
  /** Lends a private folder (0700) for the snapshot, for the length of what it is given. */
  readonly inFolder: <T>(act: (folder: string) => Promise<T>) => Promise<T>;
  /** How long an API server that is just coming back is waited for. Default: not at all. */
  readonly reachableSeconds?: number;
}

/**
 * Opens one context of a kubeconfig for the length of `act`. Throws `GateError` (`kubeconfig.*`) for one that is not used; an API server
 * that does not answer is left to the requests of `act`, which say so in their own words.
 */
export function withCluster<T>(source: ClusterSource, act: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { kubeconfigPath, context, inFolder, reachableSeconds } = source;
  return inFolder(async (directory) => {
    const cluster = await openCluster(await takeSnapshot({ kubeconfigPath, context, directory }));
    try {
      if (reachableSeconds !== undefined) await cluster.waitReachable(deadlineIn(reachableSeconds)).catch(() => {});
      return await act(cluster);
    } finally {
      await cluster.close();
    }
  });
}
