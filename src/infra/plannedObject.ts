/** When an object is applied. `preserved` is never applied: the object exists already and is only checked. */
export const phases = ['prerequisite', 'preserved', 'setup', 'workload', 'rollout'] as const;
export type Phase = (typeof phases)[number];

/** Whether a kind lives in a namespace. */
export type Scope = 'cluster' | 'namespaced';

export type Manifest = Readonly<Record<string, unknown>>;

/**
 * What constructs declare of an object. Constructs and the inventory's checker share this type and nothing else.
 *
 * `identity` is `apiVersion/Kind/namespace/name`, and `apiVersion/Kind/name` for a cluster-scoped object:
 * `apps/v1/Deployment/django-ray/django-web`, `v1/Namespace/django-ray`.
 */
export interface InventoryEntry {
  readonly identity: string;
  readonly scope: Scope;
  readonly phase: Phase;
  /** Path in the construct tree, for messages. */
  readonly construct: string;
}

/** An object as it will be deployed: plain JSON, keys sorted, no null and no undefined. */
export interface PlannedObject extends InventoryEntry {
  readonly manifest: Manifest;
}
