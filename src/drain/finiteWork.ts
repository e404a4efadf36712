import { job } from './sources/batch.js';
import { workload } from './sources/kueue.js';
import { rayJob } from './sources/ray.js';
import { stateOfWork } from './sources/readWork.js';
import type { WorkState } from './sources/sourceKind.js';
import { sourceKinds } from './sources/table.js';

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
const endlessOwners = new Set(['ReplicaSet', ...sourceKinds.filter((row) => row.endless).map((row) => row.kind)]);

/** A Kueue Workload that has no `Finished` condition; undefined when it is finished or can never be. */
export function unfinishedWorkload(object: WorkObject): FiniteWork | undefined {
  if (object.metadata.ownerReferences?.some((owner) => endlessOwners.has(owner.kind))) return undefined;
  return unfinished('Workload', object, stateOfWork(workload, object));
}

/** A Job that is neither Complete nor Failed. */
export function unfinishedJob(object: WorkObject): FiniteWork | undefined {
  return unfinished('Job', object, stateOfWork(job, object));
}

/** A RayJob that has not ended, with a cluster of its own or with a `clusterSelector` on another; one with an invalid spec has begun nothing. */
export function unfinishedRayJob(object: WorkObject): FiniteWork | undefined {
  const state = stateOfWork(rayJob, object);
  return state.says === 'ValidationFailed' ? undefined : unfinished('RayJob', object, state);
}

/** Work that a task manager has begun. QUEUED is durable: it survives a restart and does not count. */
export const unfinishedExecutionStates = ['RUNNING', 'CANCELLING'] as const;

function unfinished(kind: FiniteWork['kind'], object: WorkObject, state: WorkState): FiniteWork | undefined {
  if (state.phase === 'finished') return undefined;
  const { namespace = '-', name } = object.metadata;
  return { kind, identity: [kind, namespace, name].join('/'), state: state.says };
}
