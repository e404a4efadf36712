import { livingContainers } from './machine/livingContainers.js';
import type { LabPaths } from './paths.js';
import { readRecord } from './process/daemon.js';
import type { Start } from './readiness.js';

/** Read before the cluster is: a container that ends later is reported by the kubelet that runs now. */
export async function observeStart(paths: LabPaths): Promise<Start> {
  const kubelet = await readRecord(paths.processFolder, 'kubelet');
  return {
    kubeletStarted: new Date(kubelet?.startedAt ?? 0),
    living: await livingContainers(paths.containerdStateFolder),
  };
}
