/** A rule of a Role or ClusterRole, as the plan holds it. */
export interface AccountRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The service account that a run acts as, with what it needs for that. */
export interface DeployerAccount {
  /** `system:serviceaccount:NAMESPACE:NAME`. */
  readonly username: string;
  readonly rules: readonly AccountRule[];
}
