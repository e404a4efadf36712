import type { ProcessLife } from '../../host/processRecord.js';
import type { LeaseFacts } from './lease.js';
import type { RunDecision } from './runDecision.js';

/** What one layer of the last run is now: judged anew on what lives, or only seen when it ran. */
export interface LayerStatus {
  readonly layer: string;
  /** `seen`: it passed in that run and is not looked at here; `not-reached`: it did not pass in that run. */
  readonly state: 'ready' | 'waiting' | 'failed' | 'seen' | 'not-reached';
  /** Of `waiting` and `failed`. */
  readonly code?: string;
  readonly detail: string;
}

/** The newest line that a layer wrote. */
export interface LayerLine {
  readonly layer: string;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}

export interface RunFacts {
  readonly runId: string;
  /** Reason of a run that can prove nothing more. */
  readonly voidReason: string | undefined;
  readonly lines: readonly LayerLine[];
}

/** All that a status rests on. */
export interface StatusFacts {
  readonly proof: { readonly runId: string; readonly finishedAt: string; readonly commit: string } | undefined;
  /** The newest run of this stack on this machine. */
  readonly run: RunFacts | undefined;
  /** Why the cluster could not be read. */
  readonly unreadable: string | undefined;
  readonly lease: { readonly facts: LeaseFacts; readonly life: ProcessLife } | undefined;
  readonly layers: readonly LayerStatus[];
  /** What `up` would decide, or why it would not come to that. */
  readonly decision: RunDecision | { readonly kind: 'refused'; readonly why: string };
}

export interface Status {
  /** Proven, and everything that was looked at is as it was proven. */
  readonly healthy: boolean;
  readonly proof: string;
  readonly run: string;
  /** One line a layer that is at work in a run under way, or where an unfinished one stopped. */
  readonly steps: readonly LayerLine[];
  readonly layers: readonly LayerStatus[];
  readonly up: { readonly does: 'nothing' | 'continue' | 'new-run' | 'refused'; readonly why: string };
}
