/**
 * API groups that a cluster may lack, each with who serves it. A rule on a resource of such a group gives nothing where the
 * group is not served; every other rule must name what every cluster has, or what this installation brings.
 */
export const optionalGroups = {
  'kueue.x-k8s.io': 'Kueue',
  'ray.io': 'KubeRay',
  'jobset.x-k8s.io': 'JobSet',
  'leaderworkerset.x-k8s.io': 'LeaderWorkerSet',
  'kubeflow.org': 'Kubeflow training operator',
  'trainer.kubeflow.org': 'Kubeflow Trainer',
  'workload.codeflare.dev': 'AppWrapper',
  'sparkoperator.k8s.io': 'Spark operator',
} as const;

export type OptionalGroup = keyof typeof optionalGroups;

/** Groups of every cluster that the controller runs on: Kubernetes' own, and the workspace API. */
export const presentGroups = [
  '',
  'apps',
  'batch',
  'coordination.k8s.io',
  'rbac.authorization.k8s.io',
  'tau.azure.com',
] as const;

export type ApiGroup = OptionalGroup | (typeof presentGroups)[number];
