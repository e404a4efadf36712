/** A piece of work that ends by itself, so that it can be waited for. */
export interface FiniteWork {
  readonly kind: 'Workload' | 'Job' | 'RayJob' | 'Execution';
  /** Who it is: `Job/django-ray/nightly`, or an execution's task id. */
  readonly identity: string;
  /** What it says of itself: `Running`, `Suspended`, `CANCELLING`. */
  readonly state: string;
}

/** Parts of an object that the rules below look at; any Kubernetes object has this shape. */
export interface WorkObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
    }[];
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * Owners whose Workloads do not end by themselves: Kueue 0.17 makes one for a RayCluster, and for pods of a Deployment,
 * StatefulSet or RayService. They are reported, not waited for.
 */
const endlessOwners = new Set([
  'RayCluster',
  'RayService',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'LeaderWorkerSet',
]);

/** A Kueue Workload that has no `Finished` condition; undefined when it is finished or can never be. */
export function unfinishedWorkload(object: WorkObject): FiniteWork | undefined {
  if (hasCondition(object, 'Finished')) return undefined;
  if (object.metadata.ownerReferences?.some((owner) => endlessOwners.has(owner.kind))) return undefined;
  const state = hasCondition(object, 'Admitted')
    ? 'Admitted'
    : hasCondition(object, 'QuotaReserved')
      ? 'QuotaReserved'
      : 'Pending';
  return { kind: 'Workload', identity: identityOf('Workload', object), state };
}

/** A Job that is neither Complete nor Failed. */
export function unfinishedJob(object: WorkObject): FiniteWork | undefined {
  if (hasCondition(object, 'Complete') || hasCondition(object, 'Failed')) return undefined;
  const active = numberAt(object.status, 'active');
  const state = hasCondition(object, 'Suspended') ? 'Suspended' : active > 0 ? 'Running' : 'Pending';
  return { kind: 'Job', identity: identityOf('Job', object), state };
}

/** Deployment states of a RayJob that it does not leave (KubeRay 1.6.2). */
const endedRayJobs = new Set(['Complete', 'Failed', 'ValidationFailed']);

/** A RayJob that has not ended, with a cluster of its own or with a `clusterSelector` on another. */
export function unfinishedRayJob(object: WorkObject): FiniteWork | undefined {
  const status = record(object.status)['jobDeploymentStatus'];
  const state = typeof status === 'string' && status !== '' ? status : 'New';
  if (endedRayJobs.has(state)) return undefined;
  return { kind: 'RayJob', identity: identityOf('RayJob', object), state };
}

/** Work that a task manager has begun. QUEUED is durable: it survives a restart and does not count. */
export const unfinishedExecutionStates = ['RUNNING', 'CANCELLING'] as const;

function hasCondition(object: WorkObject, type: string): boolean {
  const conditions = record(object.status)['conditions'];
  return (
    Array.isArray(conditions) && conditions.some((c) => record(c)['type'] === type && record(c)['status'] === 'True')
  );
}

function identityOf(kind: string, object: WorkObject): string {
  return [kind, object.metadata.namespace ?? '-', object.metadata.name].join('/');
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numberAt(value: unknown, key: string): number {
  const found = record(value)[key];
  return typeof found === 'number' ? found : 0;
}
