import type { Deadline } from '../core/deadline.js';
import type { Outcome } from '../core/outcome.js';
import type { KindRef, KubeObject, ObjectRef } from './objects.js';
import type { ServedKinds } from './servedKind.js';
import type { WatchedKind, WatchStore } from './watchStore.js';

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects a page. Default: 500. */
  readonly pageSize?: number;
  /** Stops after the page that reaches this many objects. Default: all. */
  readonly atMost?: number;
  /** Only `metadata` of each object is asked for and sent: no Secret's data. Default: false. */
  readonly metadataOnly?: boolean;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  /** The state of the cluster that the items are of: a watch continues from here. */
  readonly resourceVersion: string;
  /** How many were left out by `atMost`; by the API server's count, which it need not give (then 1). Default: 0. */
  readonly leftOut?: number;
}

export interface WriteOptions {
  readonly fieldManager: string;
  /** Everything but the storing: admission, defaults and validation run. Default: false. */
  readonly dryRun?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /** Take over fields that other managers own. Default: false, which makes such a field a `conflict`. */
  readonly force?: boolean;
}

export interface PatchOptions extends WriteOptions {
  readonly type: 'merge' | 'strategic';
  /** `scale`, `status`. Default: the object itself. */
  readonly subresource?: string;
}

export interface RemoveOptions {
  /** Preconditions: an object that is another by now is a `conflict`, and stays. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  readonly dryRun?: boolean;
}

export interface LogOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly tailLines: number;
  /** The container's run before this one. Default: false. */
  readonly previous?: boolean;
}

export interface ExecOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly argv: readonly string[];
  readonly timeoutSeconds: number;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * One API server, reached through one pinned kubeconfig snapshot. Before each request the snapshot's file is read again and
 * its digest compared: a kubeconfig swapped in the middle of a run is refused.
 *
 * Reads return an {@link Outcome} and do not throw. Mutations throw a `ClusterError`. Every request has its own time-out
 * (30 s unless `openCluster` was told otherwise). Nothing is retried here, except a read on a kept-alive connection that
 * had died unseen; `retryable` tells who may.
 */
export interface Cluster {
  readonly server: string;
  readonly context: string;
  readonly kubeconfigSha256: string;
  get(ref: ObjectRef): Promise<Outcome<KubeObject>>;
  /** All pages. A continuation that expired (410) starts the list again. A kind that is not served is `absent`. */
  list(kind: KindRef, options?: ListOptions): Promise<Outcome<ObjectList>>;
  /** Every kind that is served, each at its group's preferred version that has it, and the group versions that do not answer. */
  servedKinds(): Promise<Outcome<ServedKinds>>;
  create(object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** Server-side apply: only the fields given are claimed for the field manager. */
  apply(object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  patch(ref: ObjectRef, patch: Readonly<Record<string, unknown>>, options: PatchOptions): Promise<KubeObject>;
  /** `deleted` says that the API server accepted it: with finalizers or a grace period the object may still be there. */
  remove(ref: ObjectRef, options?: RemoveOptions): Promise<'deleted' | 'absent'>;
  /** `absent`: no such pod, or no such earlier run. A container that has not started is `unreadable`, retryable. */
  logs(options: LogOptions): Promise<Outcome<string>>;
  exec(options: ExecOptions): Promise<ExecResult>;
  /** `v1.35.4`. */
  version(): Promise<Outcome<string>>;
  watch(kinds: readonly WatchedKind[]): WatchStore;
  /** Ends when `/readyz` answers 200; throws `ClusterError` (`unreachable`) on the deadline, at once when refused (401, 403). */
  waitReachable(deadline: Deadline): Promise<void>;
  /** Ends watches and connections. What was under way fails as unreachable. */
  close(): Promise<void>;
}
