/** Queues that a task is sent through, and whether their manager hands it to Ray or runs it itself. */
export const smokeQueues = [
  { queue: 'default', onRay: true },
  { queue: 'high-priority', onRay: true },
  { queue: 'low-priority', onRay: true },
  { queue: 'sync', onRay: false },
  { queue: 'ml', onRay: true },
] as const;

/** The queue whose task stands in the evidence block. */
export const evidenceQueue = 'default';

/** A task as its row says that it ended. */
export interface SmokeTask {
  /** Canonical UUIDv4. */
  readonly id: string;
  readonly queue: string;
  readonly state: string;
  readonly result: number;
  /** Lease of the manager that ran it. */
  readonly worker: string;
  /** Where the task was to go when it was enqueued. */
  readonly rayAddress: string;
  readonly workingDir: string;
  readonly attempt: number;
}

/** The same with the pod that ran it. */
export interface ConsumedTask extends SmokeTask {
  readonly pod: string;
}
