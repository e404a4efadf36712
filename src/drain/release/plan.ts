import type { Blocker, DrainingReason } from '../../api/workspaceStatus.js';
import type { MarkKeys } from '../routes/namespaceMarks.js';
import type { Acknowledgement } from './acknowledgement.js';
import type { Decision } from './decision.js';
import type { OwnedAccount, OwnedObject } from './snapshot.js';

export interface ObjectDecision<Object = OwnedObject> {
  readonly object: Object;
  readonly decision: Decision;
}

export interface AccountDecision extends ObjectDecision<OwnedAccount> {
  /** Of an obsolete account, which goes at once: the first of the work that still names it. */
  readonly affected: readonly Blocker[];
  readonly affectedCount: number;
}

/** What may be done in one namespace. */
export interface NamespacePlan {
  readonly name: string;
  /** Preconditions of any write to the namespace that this plan leads to. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly localQueues: readonly ObjectDecision[];
  readonly accounts: readonly AccountDecision[];
  /** Of a namespace that the workspace leaves. */
  readonly leaving?: {
    /** All marks but those of ownership. */
    readonly routingLabels: { readonly keys: readonly string[]; readonly decision: Decision };
    /** The marks of ownership, which go last. */
    readonly marks: { readonly keys: MarkKeys; readonly decision: Decision };
    /**
     * Never kept. `remove`: they go now. `narrow`: to what only looks and deletes, for the current subject; not while an obsolete account can
     * still be read, so that nobody is let in beside an identity that is being revoked, and not once nothing is left to look at.
     */
    readonly grants: { readonly access: 'remove' | 'narrow'; readonly objects: readonly OwnedObject[] };
  };
}

/** Everything that a workspace may and may not give up now. */
export interface ReleasePlan {
  readonly evidence: 'live' | 'cached';
  readonly namespaces: readonly NamespacePlan[];
  readonly clusterQueue?: ObjectDecision;
  /** Of a workspace that is being deleted. */
  readonly finalizer?: Decision;
  /** False while an obsolete account can still be read anywhere: then no grant is written, in no namespace. */
  readonly mayGrant: boolean;
  readonly acknowledgement: Acknowledgement;
  /** The first of all that keeps anything, and how much that is. Empty when an acknowledgement holds, but for what goes first. */
  readonly blockers: readonly Blocker[];
  readonly blockerCount: number;
  readonly reason: DrainingReason;
  /** `group/Kind` of Workloads' owners that no rule knows: their Workloads count, they themselves are not seen. */
  readonly unsupported: readonly string[];
}
