import type { Outcome } from '../../core/outcome.js';
import type { CellKey } from '../index/cell.js';
import type { Labels } from '../selectors/labelSelector.js';
import { lostKeys } from '../selectors/lostKeys.js';
import type { KueueConfiguration } from './kueueConfiguration.js';
import type { ClusterQueueFacts, LocalQueueFacts } from './queueFacts.js';

/** What routes are judged by; a queue that is not in a map has not been read. */
export interface RouteEvidence {
  /** Labels of the namespace now, and as they would be once the workspace has taken its own off. */
  readonly before: Labels;
  readonly after: Labels;
  readonly kueue: KueueConfiguration;
  readonly localQueues: ReadonlyMap<string, Outcome<LocalQueueFacts>>;
  readonly clusterQueues: ReadonlyMap<string, Outcome<ClusterQueueFacts>>;
  /** UIDs under which the workspace last saw ClusterQueues ready, by name. */
  readonly recorded: ReadonlyMap<string, string>;
}

/** Why a route cannot be judged: a queue could not be read, or is another than the one that was recorded under its name. */
export interface RouteFault {
  readonly kind: 'LocalQueue' | 'ClusterQueue';
  readonly name: string;
  readonly fault: 'unreadable' | 'replaced';
  /** The live one, where it was read. */
  readonly uid?: string;
  readonly reason: string;
}

export interface Route {
  /** Queues that it may go through: the one that it is admitted to, and the one that its LocalQueue leads to now. */
  readonly clusterQueues: readonly string[];
  /** The first of them that needs a label which would go. */
  readonly needing?: string;
  /** Labels of the namespace that it needs and that would go, in order. */
  readonly labelKeys: readonly string[];
  readonly faults: readonly RouteFault[];
  /** Why nothing will be admitted through it as it stands. */
  readonly closed?: string;
}

const noRoute: Route = { clusterQueues: [], labelKeys: [], faults: [] };

/** The route of a cell's work and what it needs of the namespace's labels. */
export function routeOf(cell: CellKey, evidence: RouteEvidence): Route {
  const { kueue, before, after } = evidence;
  if (cell.managed === 'no' || (cell.managed === 'unnamed' && !kueue.managesUnnamed)) return noRoute;
  const faults: RouteFault[] = [];
  const keys = new Set(lostKeys(kueue.managedNamespaces, before, after));
  const local = localQueueOf(cell, evidence, faults);
  const clusterQueues = [...new Set([cell.admittedTo, local?.clusterQueue ?? ''])].filter((name) => name !== '');
  let needing: string | undefined;
  let stopped = local?.stopped ?? false;
  let present = 0;
  for (const name of clusterQueues) {
    const queue = clusterQueueOf(name, evidence, faults);
    if (!queue) continue;
    present += 1;
    stopped ||= queue.stopped;
    const lost = lostKeys(queue.namespaceSelector, before, after);
    for (const key of lost) keys.add(key);
    if (lost.length > 0) needing ??= name;
  }
  const closed = closedBecause(cell, { local, stopped, present, faults, clusterQueues });
  return {
    clusterQueues,
    labelKeys: [...keys].sort(),
    faults,
    ...(needing === undefined ? {} : { needing }),
    ...(closed === undefined ? {} : { closed }),
  };
}

/** Whether the labels must stay for this route, or might have to. */
export function needsLabels(cell: CellKey, route: Route): boolean {
  return route.labelKeys.length > 0 || route.faults.length > 0 || cell.remoteCluster !== '';
}

const unread: Outcome<never> = { kind: 'unreadable', reason: 'it has not been read', retryable: true };

function localQueueOf(cell: CellKey, evidence: RouteEvidence, faults: RouteFault[]): LocalQueueFacts | undefined {
  if (cell.queue === '') return undefined;
  const outcome = evidence.localQueues.get(cell.queue) ?? unread;
  if (outcome.kind === 'unreadable')
    faults.push({ kind: 'LocalQueue', name: cell.queue, fault: 'unreadable', reason: outcome.reason });
  return outcome.kind === 'found' ? outcome.value : undefined;
}

function clusterQueueOf(name: string, evidence: RouteEvidence, faults: RouteFault[]): ClusterQueueFacts | undefined {
  const outcome = evidence.clusterQueues.get(name) ?? unread;
  if (outcome.kind === 'unreadable')
    faults.push({ kind: 'ClusterQueue', name, fault: 'unreadable', reason: outcome.reason });
  if (outcome.kind !== 'found') return undefined;
  const recorded = evidence.recorded.get(name) ?? '';
  if (recorded !== '' && recorded !== outcome.value.uid) {
    const reason = `it has UID ${outcome.value.uid}, recorded is ${recorded}`;
    faults.push({ kind: 'ClusterQueue', name, fault: 'replaced', uid: outcome.value.uid, reason });
  }
  return outcome.value;
}

function closedBecause(
  cell: CellKey,
  seen: {
    local: LocalQueueFacts | undefined;
    stopped: boolean;
    present: number;
    faults: readonly RouteFault[];
    clusterQueues: readonly string[];
  },
): string | undefined {
  if (cell.admittedTo !== '' || seen.faults.length > 0) return undefined;
  if (cell.queue === '') return 'it names no queue';
  if (!seen.local) return `LocalQueue ${cell.queue} does not exist`;
  if (seen.present === 0) return `LocalQueue ${cell.queue} leads to no ClusterQueue that exists`;
  return seen.stopped ? `queue ${cell.queue} is stopped` : undefined;
}
