/** One container as it runs. */
export interface ContainerIdentity {
  readonly name: string;
  /** As the pod asks for it. */
  readonly reference: string;
  /** Normalised reference, as the runtime reports it. */
  readonly image: string;
  /** `sha256:…`. */
  readonly imageDigest: string;
}

export interface PodIdentity {
  readonly name: string;
  readonly uid: string;
  /** `Kind name (uid)` of the controlling owner; empty when it has none. */
  readonly owner: string;
  readonly initContainers: readonly ContainerIdentity[];
  readonly containers: readonly ContainerIdentity[];
  /** Of all containers together. */
  readonly restarts: number;
}

export interface RayPodIdentity extends PodIdentity {
  /** `head` or `worker:<group>`. */
  readonly role: string;
}

export interface RayConverged {
  readonly clusterUid: string;
  /** Sorted by name. */
  readonly pods: readonly RayPodIdentity[];
  readonly heads: number;
  readonly workers: number;
}

export interface ConvergedDeployment {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly readyReplicas: number;
  readonly replicaSet: { readonly name: string; readonly uid: string };
  /** Sorted by name. */
  readonly pods: readonly PodIdentity[];
}

/** What setup says that it made; Ray nodes are compared with it. */
export interface SetupResult {
  readonly archive: {
    readonly uri: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly members: number;
  };
  readonly sourceTree: string;
}

/** Who was proven. */
export interface ProvenIdentity {
  readonly ray: RayConverged;
  readonly deployments: readonly ConvergedDeployment[];
  /** What the application stands on. */
  readonly supporting: readonly ConvergedDeployment[];
  readonly setup: { readonly jobUid: string; readonly pod: PodIdentity };
}

/** Every pod of it. */
export function podsOf({ ray, deployments, supporting, setup }: ProvenIdentity): readonly PodIdentity[] {
  return [...ray.pods, ...[...deployments, ...supporting].flatMap((one) => one.pods), setup.pod];
}
