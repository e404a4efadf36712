import type { Condition } from '../../api/conditions.js';
import { type ConditionNow, setCondition } from '../../api/setCondition.js';
import { type DrainingReason, listedBlockers, type WorkspaceStatus } from '../../api/workspaceStatus.js';
import { oneLine } from '../../core/boundedText.js';
import { sameValue } from '../../core/sameValue.js';
import type { ReleasePlan } from '../release/plan.js';
import { blockersText } from './blockersText.js';

/** The fields of a workspace's status that a drain writes. */
export type DrainStatus = Required<Pick<WorkspaceStatus, 'blockers' | 'blockerCount' | 'conditions'>> &
  Pick<WorkspaceStatus, 'lastDrainEvaluation'>;

/** An evaluation that found nothing new is written down only so often, so that a settled drain writes nothing in between. */
const evaluationIsOldAfterMs = 300_000;
const longestMessage = 4_000;

const plainly: Readonly<Record<DrainingReason, string>> = {
  AcceptedWork: 'accepted work is left',
  RouteUnreadable: 'not everything can be read, so nothing is released',
  QueueIdentityChanged: 'a ClusterQueue is not the one that was recorded',
  IdentityRevocationPending: 'an obsolete ServiceAccount is not gone yet',
  QueueFinalizing: 'the ClusterQueue is being finalized',
  Drained: 'no accepted work is left',
};

export interface DrainStatusOptions {
  readonly previous: WorkspaceStatus;
  /** metadata.generation that was evaluated. */
  readonly generation: number;
  readonly nowMs: number;
  /** Say so when it takes longer: seconds from the transition of condition `Draining`. Default: never. Nothing is forced. */
  readonly reportAfterSeconds?: number;
}

/**
 * What a status says of a plan: a bounded list of blockers in one order with the whole count, and condition `Draining`. Equal plans give an
 * equal status, but for `lastDrainEvaluation`, which moves with any change and else every five minutes of a drain.
 */
export function drainStatus(plan: ReleasePlan, options: DrainStatusOptions): DrainStatus {
  const { previous, generation, nowMs } = options;
  const now = new Date(nowMs).toISOString();
  const done = plan.blockerCount === 0 && plan.evidence === 'live';
  const before = previous.conditions ?? [];
  const next: ConditionNow = {
    type: 'Draining',
    status: done ? 'False' : 'True',
    reason: plan.reason,
    message: oneLine(messageOf(plan, done, before, options), longestMessage),
    observedGeneration: generation,
  };
  const status = {
    blockers: plan.blockers.slice(0, listedBlockers),
    blockerCount: plan.blockerCount,
    conditions: setCondition(before, next, now),
  };
  const { lastDrainEvaluation } = previous;
  const same = sameValue(
    [previous.blockers ?? [], previous.blockerCount ?? 0, before],
    [status.blockers, status.blockerCount, status.conditions],
  );
  const age = nowMs - Date.parse(lastDrainEvaluation ?? '');
  // A clock that went back gives a negative age: the time is wrong, so it is written anew.
  const keep = same && lastDrainEvaluation !== undefined && (done || (age >= 0 && age < evaluationIsOldAfterMs));
  return { ...status, lastDrainEvaluation: keep ? lastDrainEvaluation : now };
}

function messageOf(
  plan: ReleasePlan,
  done: boolean,
  before: readonly Condition[],
  { nowMs, reportAfterSeconds = Number.POSITIVE_INFINITY }: DrainStatusOptions,
): string {
  const draining = before.find((each) => each.type === 'Draining' && each.status === 'True');
  const seconds = draining ? (nowMs - Date.parse(draining.lastTransitionTime)) / 1000 : 0;
  const late = !done && seconds > reportAfterSeconds ? `, for more than the ${reportAfterSeconds} s asked for` : '';
  const { acknowledgement, blockers, blockerCount, unsupported } = plan;
  const parts = [
    `${plainly[plan.reason]}${late}`,
    ...(acknowledgement.kind === 'void' ? [`the acknowledgement does not hold: ${acknowledgement.reason}`] : []),
    ...blockersText(blockers.slice(0, 3), blockerCount),
    ...(unsupported.length > 0 ? [`no rule knows ${unsupported.join(', ')}: only its Workloads are seen`] : []),
  ];
  return parts.join('. ');
}
