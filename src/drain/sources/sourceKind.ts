import type { Fields } from './fields.js';

/**
 * - `finished`: it is over for good, by its own API's terminal condition.
 * - `running`: it holds resources, or may; also what says something that we do not know.
 * - `pending`: it waits for quota, pods or its time.
 * - `stuck`: it will not go on by itself; `remedy` is what an operator can do.
 */
export type WorkState =
  | { readonly phase: 'finished' | 'running' | 'pending'; readonly says: string }
  | { readonly phase: 'stuck'; readonly says: string; readonly remedy: string };

/**
 * One kind of object that work comes from. Everything that the rules know of a kind stands in its row of the table (table.ts); the readers
 * may throw `MalformedField`, and are called through readWork.ts only.
 */
export interface SourceKind {
  readonly kind: string;
  /** Empty for the core group. A group of `optionalGroups` may be unserved; any other is always there. */
  readonly group: string;
  /** Versions whose fields these readers know, the preferred one first. */
  readonly versions: readonly string[];
  /** Plural. */
  readonly resource: string;
  /** It never ends by itself: only its deletion releases it. */
  readonly endless?: true;
  /**
   * The LocalQueue that it names, by Kueue's own rules. Empty: it names none, and Kueue takes it only when it is told to manage what has no
   * queue name. Undefined: Kueue never takes it.
   */
  readonly queue: (object: Fields) => string | undefined;
  readonly state: (object: Fields) => WorkState;
  /** The ClusterQueue whose quota it holds. */
  readonly admittedTo?: (object: Fields) => string;
  /** The cluster that MultiKueue sent it to: what runs there is out of sight here. */
  readonly remoteCluster?: (object: Fields) => string;
  /** ServiceAccounts that its pods run as; `any` when the object alone does not say. */
  readonly accounts: (object: Fields) => readonly string[] | 'any';
}

export const finished = (says: string): WorkState => ({ phase: 'finished', says });
export const running = (says: string): WorkState => ({ phase: 'running', says });
export const pending = (says: string): WorkState => ({ phase: 'pending', says });
export const stuck = (says: string, remedy: string): WorkState => ({ phase: 'stuck', says, remedy });
