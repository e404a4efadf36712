import { kubeRay162 } from './kuberay162.js';
import type { KubeRayContract } from './kuberayContract.js';

export const kubeRayContracts: Readonly<Record<string, KubeRayContract>> = { '1.6.2': kubeRay162 };

/** Where KubeRay's init container looks for the head: `<cluster>-head-svc.<namespace>.svc.cluster.local:6379`. */
export function headAddress(clusterName: string, namespace: string): string {
  return `${clusterName}-head-svc.${namespace}.svc.cluster.local:6379`;
}
