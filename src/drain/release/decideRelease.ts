import { markKeys } from '../../api/marks.js';
import { type DrainingReason, listedBlockers } from '../../api/workspaceStatus.js';
import { judgeAcknowledgement } from './acknowledgement.js';
import { type Decision, decisionOf } from './decision.js';
import { kueueFaults } from './evidence.js';
import { acknowledged, blockersOf, countOf, type Hold, hold, isUnreadable, joined } from './hold.js';
import type { AccountDecision, NamespacePlan, ReleasePlan } from './plan.js';
import { account, clusterQueue, goneFirst, localQueue, missingEvidence, routingLabels } from './rows.js';
import type { DrainSnapshot, NamespaceSnapshot, OwnedAccount, OwnedObject } from './snapshot.js';
import { type NamespaceView, viewOf } from './views.js';

export interface DecideOptions {
  /** The time of the decision, in milliseconds since 1970: only says since when something should have been gone. */
  readonly nowMs: number;
  /** How many blockers each list names. Default: as many as a status holds. */
  readonly listed?: number;
}

/** The holds of a namespace's objects, before anybody acknowledged anything. */
interface NamespaceHolds {
  readonly view: NamespaceView;
  readonly labels: Hold;
  readonly localQueues: readonly (readonly [OwnedObject, Hold])[];
  readonly accounts: readonly (readonly [OwnedAccount, Hold])[];
  readonly all: Hold;
}

/**
 * What a workspace may give up: table 13.1. A function of the snapshot and the time alone; never throws. More unfinished work never releases
 * more, and what cannot be read never releases anything. Nothing is released but what the snapshot names, so an external queue never is.
 */
export function decideRelease(snapshot: DrainSnapshot, { nowMs, listed = listedBlockers }: DecideOptions): ReleasePlan {
  const views = snapshot.namespaces.map((each) => viewOf(each, snapshot));
  const holds = views.map((view) => holdsOf(view, snapshot));
  const ofClusterQueue = snapshot.clusterQueue && clusterQueueHold(views, snapshot.clusterQueue, snapshot);
  const everything = joined([
    hold({ evidence: kueueFaults(snapshot) }),
    ...holds.map((each) => each.all),
    ...(ofClusterQueue ? [ofClusterQueue] : []),
  ]);
  const { generation, acknowledgement: annotation, deleting } = snapshot.workspace;
  const acknowledgement = judgeAcknowledgement(annotation, generation, everything);
  const effective = (of: Hold) => (acknowledgement.kind === 'holds' ? acknowledged(of) : of);
  const decide = (of: Hold): Decision => decisionOf(effective(of), { evidence: snapshot.evidence, listed, nowMs });
  const left = effective(joined([everything, ...views.map(presentIn), goneFirst(presentElsewhere(snapshot))]));
  const whole = joined([left, goneFirst(views.filter(isMarked).map(({ snapshot: of }) => namespaceObject(of)))]);
  const obsolete = snapshot.namespaces.some(({ owned }) => owned.accounts.some((each) => each.obsolete));
  return {
    evidence: snapshot.evidence,
    namespaces: holds.map((each) => planOf(each, { snapshot, ofClusterQueue, obsolete, decide, listed, nowMs })),
    ...(snapshot.clusterQueue && ofClusterQueue
      ? { clusterQueue: { object: snapshot.clusterQueue, decision: decide(ofClusterQueue) } }
      : {}),
    ...(deleting ? { finalizer: decide(whole) } : {}),
    mayGrant: !obsolete,
    acknowledgement,
    blockers: blockersOf(left, listed, nowMs),
    blockerCount: countOf(left),
    reason: reasonOf(left, obsolete, snapshot.clusterQueue),
    unsupported: [...new Set(snapshot.namespaces.flatMap(({ work }) => [...work.unsupported.keys()]))].sort(),
  };
}

function holdsOf(view: NamespaceView, snapshot: DrainSnapshot): NamespaceHolds {
  const missing = missingEvidence(view, snapshot);
  const { localQueues, accounts } = view.snapshot.owned;
  const labels = view.snapshot.leaving ? joined([missing, routingLabels(view)]) : hold({});
  const ofQueues = localQueues.map((queue) => [queue, joined([missing, localQueue(view, queue)])] as const);
  const ofAccounts = accounts.map(
    (each) => [each, each.obsolete ? hold({}) : joined([missing, account(view, each)])] as const,
  );
  const all = joined([labels, ...ofQueues.map(([, of]) => of), ...ofAccounts.map(([, of]) => of)]);
  return { view, labels, localQueues: ofQueues, accounts: ofAccounts, all };
}

function clusterQueueHold(views: readonly NamespaceView[], queue: OwnedObject, snapshot: DrainSnapshot): Hold {
  const missing = views.map((view) => missingEvidence(view, snapshot));
  return joined([hold({ evidence: kueueFaults(snapshot) }), ...missing, clusterQueue(views, queue, snapshot)]);
}

interface PlanContext extends Required<DecideOptions> {
  readonly snapshot: DrainSnapshot;
  readonly ofClusterQueue: Hold | undefined;
  readonly obsolete: boolean;
  readonly decide: (of: Hold) => Decision;
}

function planOf(holds: NamespaceHolds, context: PlanContext): NamespacePlan {
  const { view, localQueues, accounts } = holds;
  const { decide } = context;
  const { name, uid, resourceVersion, leaving } = view.snapshot;
  return {
    name,
    uid,
    resourceVersion,
    localQueues: localQueues.map(([object, of]) => ({ object, decision: decide(of) })),
    accounts: accounts.map(([object, of]) =>
      object.obsolete
        ? revoked(object, view, context)
        : { object, decision: decide(of), affected: [], affectedCount: 0 },
    ),
    ...(leaving ? { leaving: leavingPlan(holds, context) } : {}),
  };
}

/** An obsolete account goes whoever uses it; they are told of. */
function revoked(object: OwnedAccount, view: NamespaceView, { listed, nowMs }: PlanContext): AccountDecision {
  const users = account(view, object);
  const affected = blockersOf(users, listed, nowMs);
  return { object, decision: { kind: 'release' }, affected, affectedCount: countOf(users) };
}

function leavingPlan(holds: NamespaceHolds, { snapshot, ofClusterQueue, obsolete, decide }: PlanContext) {
  const { view, labels, all } = holds;
  const { clusterQueue: queue, workspace } = snapshot;
  const marks = joined([
    all,
    ...(queue && ofClusterQueue ? [ofClusterQueue, goneFirst([queue])] : []),
    presentIn(view),
  ]);
  const remove = workspace.deleting || workspace.clusterWide || obsolete || decide(all).kind === 'release';
  const isOwnership = (key: string) => key === markKeys.workspace;
  return {
    routingLabels: { keys: view.keys.labels.filter((key) => !isOwnership(key)), decision: decide(labels) },
    marks: {
      keys: { labels: view.keys.labels.filter(isOwnership), annotations: view.keys.annotations },
      decision: decide(marks),
    },
    grants: { access: remove ? ('remove' as const) : ('narrow' as const), objects: view.snapshot.owned.grants },
  };
}

/** What the workspace has in a namespace and gives up; grants that were narrowed too, once nothing is left to look at. */
function presentIn({ snapshot }: NamespaceView): Hold {
  const { localQueues, accounts, grants } = snapshot.owned;
  return goneFirst([...localQueues, ...accounts, ...grants]);
}

function presentElsewhere({ clusterQueue: queue, grants }: DrainSnapshot): readonly OwnedObject[] {
  return [...(queue ? [queue] : []), ...grants];
}

function isMarked({ snapshot, keys }: NamespaceView): boolean {
  return snapshot.leaving && keys.labels.length + keys.annotations.length > 0;
}

function namespaceObject({ name, uid, resourceVersion }: NamespaceSnapshot): OwnedObject {
  return { apiVersion: 'v1', kind: 'Namespace', name, uid, resourceVersion };
}

function reasonOf(left: Hold, obsolete: boolean, queue: OwnedObject | undefined): DrainingReason {
  if (isUnreadable(left)) return 'RouteUnreadable';
  if (obsolete) return 'IdentityRevocationPending';
  if ([...left.evidence.values()].some((each) => each.kind === 'ClusterQueue')) return 'QueueIdentityChanged';
  if (left.work.size + left.evidence.size > 0) return 'AcceptedWork';
  return queue?.deleting ? 'QueueFinalizing' : 'Drained';
}
