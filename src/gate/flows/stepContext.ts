import type { Cluster } from '../../cluster/cluster.js';
import type { WatchStore } from '../../cluster/watchStore.js';
import { type Deadline, deadlineIn } from '../../core/deadline.js';
import type { Redactor } from '../../core/redaction.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import type { RunFolder } from './stateFolder.js';

/** What a flow has to work with: one layer of one run. */
export interface StepContext {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
  readonly cluster: Cluster;
  /** The namespace's pods, workloads, Jobs and RayClusters; open from the first layer that asks to the evidence. */
  watch(): Promise<WatchStore>;
  /** Of the whole layer, with what it may wait for beside its own work. */
  readonly deadline: Deadline;
  readonly redactor: Redactor;
  readonly run: RunFolder;
  /** Throws what has ended the run while this layer worked: asked right before something is kept as proven. */
  assertHolds(): Promise<void>;
  /** Says what is waited for; repeated lines are dropped by whoever listens. */
  readonly progress: (line: string) => void;
}

/** The layer's own setting from now on: for a wait that comes after accepted work was waited for. */
export function ownDeadline({ layer, plan, deadline }: StepContext): Deadline {
  return deadlineIn(Math.min(plan.deadlines[layer] ?? 300, deadline.remainingMs() / 1000));
}
