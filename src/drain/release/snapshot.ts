import type { Outcome } from '../../core/outcome.js';
import type { WorkIndex } from '../index/workIndex.js';
import type { KueueConfiguration } from '../routes/kueueConfiguration.js';
import type { Marks } from '../routes/namespaceMarks.js';
import type { ClusterQueueFacts, LocalQueueFacts } from '../routes/queueFacts.js';
import type { SourceKind } from '../sources/sourceKind.js';

/** An object of the workspace that is to go, proven to be its own by labels and UID. UID and resourceVersion are the delete's preconditions. */
export interface OwnedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  /** Its deletion was asked for and a finalizer holds it. */
  readonly deleting?: boolean;
}

export interface OwnedAccount extends OwnedObject {
  /** Renamed, another client, or configured no more: it is revoked now, whoever uses it. */
  readonly obsolete: boolean;
}

/** One namespace of a workspace, read at one time. */
export interface NamespaceSnapshot extends Marks {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Labels and annotations as the workspace writes them: only those are its own to take off. */
  readonly written: Marks;
  /** The workspace leaves it: its deletion, or a retarget. False for one whose work is only evidence about the ClusterQueue. */
  readonly leaving: boolean;
  readonly work: WorkIndex;
  /** What the list of each kind of the table gave; a kind that is missing here has not been read. */
  readonly reads: ReadonlyMap<SourceKind, Outcome<unknown>>;
  /** Each LocalQueue that work names (`queuesNamed`), by name. */
  readonly localQueues: ReadonlyMap<string, Outcome<LocalQueueFacts>>;
  /** What the workspace owns here and no longer wants, and that is still there. */
  readonly owned: {
    readonly localQueues: readonly OwnedObject[];
    readonly accounts: readonly OwnedAccount[];
    /** Of researchers. */
    readonly grants: readonly OwnedObject[];
  };
}

/** All that a decision rests on, as plain data. */
export interface DrainSnapshot {
  readonly workspace: {
    readonly uid: string;
    readonly generation: number;
    readonly deleting: boolean;
    /** Authorization mode `cluster-wide`: the workspace grants nothing. */
    readonly clusterWide: boolean;
    /** Its annotation `acknowledgeDrain`, as it stands. */
    readonly acknowledgement?: string;
    /** Whether its status, or anything that it owns, says that it has had a queue. */
    readonly hadQueues: boolean;
  };
  /** `cached`: from watches; good enough to keep, never to release. */
  readonly evidence: 'live' | 'cached';
  /** `absent`: discovery proves that no version of Kueue's group is served. */
  readonly kueue: Outcome<KueueConfiguration>;
  /** Each ClusterQueue that work holds quota of, or that a LocalQueue above leads to, by name. */
  readonly clusterQueues: ReadonlyMap<string, Outcome<ClusterQueueFacts>>;
  /** UIDs of ClusterQueues as the workspace last saw them ready, or made them, by name. */
  readonly recorded: ReadonlyMap<string, string>;
  readonly namespaces: readonly NamespaceSnapshot[];
  /** The workspace's own, when it is to go and still there. */
  readonly clusterQueue?: OwnedObject;
  /** Grants outside those namespaces, that are to go and still there. */
  readonly grants: readonly OwnedObject[];
}
