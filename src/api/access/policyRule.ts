/** Verbs in the order in which rules list them. */
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'bind'] as const;
export type Verb = (typeof verbs)[number];

export const readVerbs = ['get', 'list', 'watch'] as const satisfies readonly Verb[];

/** A rule of a Role or ClusterRole (rbac.authorization.k8s.io/v1). */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly Verb[];
}
