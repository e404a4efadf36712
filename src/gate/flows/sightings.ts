import type { View } from '../../cluster/watchStore.js';
import { type Clock, systemClock } from '../../core/deadline.js';
import type { Held } from '../model/held.js';
import type { PodFacts } from '../model/podFacts.js';
import type { StepContext } from './stepContext.js';

/** How often a judgement that depends on time is made without an event, in seconds. */
export const heldEverySeconds = 5;
const defaultLimitSeconds = 120;

/** A reading with how long its pods have been held up since the first of these readings. */
export function withHeld<R extends { readonly pods: readonly PodFacts[] }>(
  { plan }: Pick<StepContext, 'plan'>,
  read: (view: View) => R,
  clock: Clock = systemClock,
): (view: View) => R & { readonly held: Held } {
  const limitSeconds = plan.deadlines['stuck'] ?? defaultLimitSeconds;
  let since = new Map<string, number>();
  return (view) => {
    const reading = read(view);
    const now = clock.now();
    const seconds = new Map<string, number>();
    const seen = new Map<string, number>();
    for (const pod of reading.pods) {
      const state = pod.terminating ? 'terminating' : pod.unschedulable === undefined ? undefined : 'unschedulable';
      if (state === undefined) continue;
      // By state: a pod that got its node and leaves later starts anew.
      const first = since.get(`${pod.uid} ${state}`) ?? now;
      seen.set(`${pod.uid} ${state}`, first);
      seconds.set(pod.uid, (now - first) / 1000);
    }
    since = seen;
    return { ...reading, held: { seconds, limitSeconds } };
  };
}
