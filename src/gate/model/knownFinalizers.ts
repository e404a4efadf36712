/** Programs that take finalizers away, as far as raygate can look for them. */
export const controllerNames = ['kueue', 'kuberay', 'kube-controller-manager'] as const;
export type ControllerName = (typeof controllerNames)[number];

export interface KnownFinalizer {
  readonly pattern: RegExp;
  readonly controller: ControllerName;
  /** Until when it stays, after "it stays until". */
  readonly until: string;
  /** What to do while its controller runs. */
  readonly next: string;
}

/** First match wins. Kueue 0.17, KubeRay 1.6.2, Kubernetes 1.35. */
export const knownFinalizers: readonly KnownFinalizer[] = [
  {
    pattern: /^kueue\.x-k8s\.io\/resource-in-use$/,
    controller: 'kueue',
    until: 'nothing uses the object: an admitted Workload keeps its quota, and its queues their Workloads',
    next: 'let the Jobs and RayClusters behind its Workloads end, or delete those first',
  },
  {
    pattern: /^kueue\.x-k8s\.io\/managed$/,
    controller: 'kueue',
    until: 'Kueue has accounted for the pod, and its pod group is finished',
    next: "wait for the pod's group to end, or delete its Workload",
  },
  { pattern: /^kueue\./, controller: 'kueue', until: 'Kueue lets go of the object', next: "read Kueue's log" },
  {
    pattern: /^ray\.io\/gcs-ft-redis-cleanup-finalizer$/,
    controller: 'kuberay',
    until: "a Job of KubeRay has removed the cluster's data from Redis",
    next: 'read the log of that Job (its name ends in redis-cleanup); an unreachable Redis keeps it waiting',
  },
  {
    pattern: /^ray\.io\/rayjob-finalizer$/,
    controller: 'kuberay',
    until: 'KubeRay has stopped the Ray job',
    next: "see whether the RayCluster's dashboard answers: KubeRay asks it to stop the job",
  },
  {
    pattern: /^ray\.io\//,
    controller: 'kuberay',
    until: 'KubeRay has cleaned up after the object',
    next: "read KubeRay's log",
  },
  {
    pattern: /^kubernetes\.io\/pvc-protection$/,
    controller: 'kube-controller-manager',
    until: 'no pod uses the claim',
    next: 'wait a moment: nobody uses it any more',
  },
  {
    pattern: /^batch\.kubernetes\.io\/job-tracking$/,
    controller: 'kube-controller-manager',
    until: 'its Job has counted the pod',
    next: 'see whether kube-controller-manager runs: its Job controller counts',
  },
  {
    pattern: /^foregroundDeletion$/,
    controller: 'kube-controller-manager',
    until: 'what it owns is gone',
    next: 'see what keeps its dependents',
  },
  {
    pattern: /^orphan$/,
    controller: 'kube-controller-manager',
    until: 'its dependents have been let go',
    next: 'see whether kube-controller-manager runs: its garbage collector does that',
  },
  {
    pattern: /^service\.kubernetes\.io\/load-balancer-cleanup$/,
    controller: 'kube-controller-manager',
    until: 'the load balancer of the Service is gone',
    next: "see whether the cloud's service controller runs",
  },
];

export function knownFinalizer(name: string): KnownFinalizer | undefined {
  return knownFinalizers.find(({ pattern }) => pattern.test(name));
}
