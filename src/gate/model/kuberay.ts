/**
 * What a KubeRay operator adds to the pods of a RayCluster, by its version. Data only: the rules compare live pods with it.
 * Source of 1.6.2: ray-operator/controllers/ray/common/pod.go, and a pod made by that operator.
 */
export interface KubeRayContract {
  readonly version: string;
  readonly initContainer: {
    readonly name: string;
    readonly command: readonly string[];
    /** The script's lines, trimmed, blank ones dropped. */
    scriptLines(headAddress: string): readonly string[];
  };
}

const troubleshooting = 'https://docs.ray.io/en/master/cluster/kubernetes/troubleshooting.html';

const kubeRay162: KubeRayContract = {
  version: '1.6.2',
  initContainer: {
    name: 'wait-gcs-ready',
    command: ['/bin/bash', '-c', '--'],
    scriptLines: (headAddress) => [
      'SECONDS=0',
      'while true; do',
      'if (( SECONDS <= 120 )); then',
      `if ray health-check --address ${headAddress} > /dev/null 2>&1; then`,
      'echo "GCS is ready."',
      'break',
      'fi',
      'echo "$SECONDS seconds elapsed: Waiting for GCS to be ready."',
      'else',
      `if ray health-check --address ${headAddress}; then`,
      'echo "GCS is ready. Any error messages above can be safely ignored."',
      'break',
      'fi',
      `echo "$SECONDS seconds elapsed: Still waiting for GCS to be ready. For troubleshooting, refer to the FAQ at ${troubleshooting}."`,
      'fi',
      'sleep 5',
      'done',
    ],
  },
};

export const kubeRayContracts: Readonly<Record<string, KubeRayContract>> = { '1.6.2': kubeRay162 };

/** Where KubeRay's init container looks for the head: `<cluster>-head-svc.<namespace>.svc.cluster.local:6379`. */
export function headAddress(clusterName: string, namespace: string): string {
  return `${clusterName}-head-svc.${namespace}.svc.cluster.local:6379`;
}
