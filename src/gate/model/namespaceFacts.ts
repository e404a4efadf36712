import type { ControllerName } from './knownFinalizers.js';

export interface RemainingOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** `blockOwnerDeletion`: a foreground deletion of the owner waits for this object. */
  readonly blocks: boolean;
}

export interface RemainingObject {
  readonly name: string;
  readonly uid: string;
  /** RFC 3339; undefined while nobody has deleted it. */
  readonly deletedAt: string | undefined;
  readonly finalizers: readonly string[];
  readonly owners: readonly RemainingOwner[];
  /** Field managers that wrote its finalizers. */
  readonly finalizerManagers: readonly string[];
}

export interface RemainingKind {
  /** `Pod`, `Workload.kueue.x-k8s.io`. */
  readonly kind: string;
  /** As kubectl takes it: `pods`, `workloads.kueue.x-k8s.io`. */
  readonly resource: string;
  readonly objects: readonly RemainingObject[];
  /** How many more there are, at least. */
  readonly leftOut: number;
}

/** `unknown`: not to be seen from here. */
export type ControllerState = 'running' | 'not-ready' | 'absent' | 'unknown';

/** All that is known of one namespace at about one moment. */
export interface NamespaceFacts {
  readonly name: string;
  /** `Active`, `Terminating`. */
  readonly phase: string;
  /** RFC 3339. */
  readonly deletedAt: string | undefined;
  /** Of the Namespace itself, `kubernetes` aside, which every namespace has. */
  readonly finalizers: readonly string[];
  /** Conditions that hold: what the namespace controller says of a deletion. */
  readonly conditions: readonly { readonly type: string; readonly message: string }[];
  readonly unavailableServices: readonly {
    readonly name: string;
    /** `namespace/name` of the Service behind it. */
    readonly service: string | undefined;
    readonly message: string;
  }[];
  readonly remaining: readonly RemainingKind[];
  /** What could not be read: nothing is said of it, and nothing is proven without it. */
  readonly unread: readonly { readonly what: string; readonly reason: string }[];
  readonly controllers: Readonly<Record<ControllerName, ControllerState>>;
  /** Names of pods that have not ended, by the claim that they use. */
  readonly claimUsers: Readonly<Record<string, readonly string[]>>;
  /** Why objects of an active namespace are not as they are wanted. */
  readonly faults: readonly { readonly object: string; readonly detail: string }[];
}

/** One reason, and what to do about it. */
export interface Cause {
  /** Dotted: `namespace.finalizer`. */
  readonly code: string;
  readonly what: string;
  readonly next: string;
}

export interface Explanation {
  readonly namespace: string;
  readonly state: 'converged' | 'not-converged' | 'terminating';
  readonly summary: string;
  readonly causes: readonly Cause[];
  /** Causes that are not listed. */
  readonly leftOut: number;
}
