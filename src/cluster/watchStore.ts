import type { Deadline } from '../core/deadline.js';
import type { Layer } from '../core/gateError.js';
import type { Outcome } from '../core/outcome.js';
import type { Verdict } from '../core/verdict.js';
import type { KindRef, KubeObject, ObjectRef } from './objects.js';

export interface WatchedKind {
  readonly kind: KindRef;
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/**
 * What the watches know at one moment; it does not change under its reader. A kind whose stream is broken and cannot be
 * restored right away is `unreadable`, so that nothing is proven on old data; a kind that discovery proves unserved is
 * `absent`; a kind that is not watched is `unreadable`.
 */
export interface View {
  list(kind: KindRef): Outcome<readonly KubeObject[]>;
  get(ref: ObjectRef): Outcome<KubeObject>;
}

/** A change that was seen. An object deleted and made anew behind a gap in the stream shows as `deleted`, then `added`. */
export interface WatchEvent {
  readonly type: 'added' | 'modified' | 'deleted';
  /** For `deleted`: its last known state. */
  readonly object: KubeObject;
  /** For `modified`: what it was before. */
  readonly previous?: KubeObject;
}

export interface UntilOptions {
  readonly deadline: Deadline;
  /** The layer that a `GateError` of this wait belongs to. */
  readonly layer: Layer;
  /** Called with the verdict's detail, once each time it changes. */
  readonly onProgress?: (line: string) => void;
  /** Also judge on a timer, for a judgement that depends on time. Default: only on events. */
  readonly everySeconds?: number;
  /** List every watched kind once more before `ready` is believed, and judge again on that. Default: false. */
  readonly confirm?: boolean;
}

/** One list+watch per kind, kept open until `close`. */
export interface WatchStore {
  /**
   * Ends when every kind has been listed or is proven unserved. Throws `GateError`: at once when a kind cannot be read and
   * would not be later (403), else on the deadline, naming the kinds.
   */
  ready(deadline: Deadline, layer?: Layer): Promise<void>;
  view(): View;
  /**
   * Judges the view now, then on each change, changes that arrive together once. Ends with the facts of `ready`. Throws
   * `GateError`: at once on `failed`, with the verdict's code; on the deadline, retryable, saying what it still waited for.
   */
  until<Facts>(judge: (view: View) => Verdict<Facts>, options: UntilOptions): Promise<Facts>;
  /** Called for each change, those of the first list included. Returns what ends it. */
  onEvent(listener: (event: WatchEvent) => void): () => void;
  close(): Promise<void>;
}
