/**
 * Keys under which the workspace controller marks what it owns, and those of the namespace that lead work to its queue. `defaultLocalQueue`
 * stands in Kueue's domain though Kueue knows nothing of it: earlier controllers wrote it, so it is stripped and selectors may name it.
 */
export const markKeys = {
  managedBy: 'app.kubernetes.io/managed-by',
  workspace: 'tau.azure.com/workspace',
  team: 'tau.azure.com/team',
  localQueue: 'tau.azure.com/local-queue',
  defaultLocalQueue: 'kueue.x-k8s.io/default-local-queue',
  /** Annotations. */
  ownerUid: 'tau.azure.com/owner-uid',
  resultScope: 'tau.azure.com/result-scope',
  /** On a workspace: an operator's release, see drain/release/acknowledgement.ts. */
  acknowledgeDrain: 'tau.azure.com/acknowledge-drain',
} as const;

/** Labels of a namespace that a workspace takes off again. */
export const namespaceLabelKeys: readonly string[] = [
  markKeys.managedBy,
  markKeys.team,
  markKeys.workspace,
  markKeys.localQueue,
  markKeys.defaultLocalQueue,
];

/** Annotations of a namespace that a workspace takes off again. */
export const namespaceAnnotationKeys: readonly string[] = [markKeys.resultScope, markKeys.ownerUid];
