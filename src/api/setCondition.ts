import type { Condition } from './conditions.js';

/** A condition but for the time at which its status changed. */
export type ConditionNow = Omit<Condition, 'lastTransitionTime'>;

/**
 * Conditions with one of them as it is now, in its place, or last. `lastTransitionTime` moves only with `status`, as Kubernetes means it
 * (apimachinery 0.35, SetStatusCondition); nothing else of the list changes.
 *
 * @param now RFC 3339.
 */
export function setCondition(conditions: readonly Condition[], next: ConditionNow, now: string): readonly Condition[] {
  const before = conditions.find((each) => each.type === next.type);
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : now;
  const condition: Condition = { ...next, lastTransitionTime };
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition];
}
