/** A kubeconfig of one cluster, one user and one context, checked, on disk with mode 0600, and pinned by its digest. */
export interface KubeconfigSnapshot {
  readonly path: string;
  /** Lowercase hex, over the exact bytes of the file. */
  readonly sha256: string;
  readonly context: string;
  readonly server: string;
  /** Lowercase hex, over the PEM of the cluster's certificate authority: Pulumi's `clusterIdentifier`. */
  readonly certificateAuthoritySha256: string;
  /** What must never be printed: register each with the redactor. */
  readonly secrets: readonly string[];
}

export interface SnapshotRef {
  readonly path: string;
  readonly sha256: string;
  readonly context: string;
}
