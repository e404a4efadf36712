import { GateError } from '../../core/gateError.js';
import type { RayConverged } from '../model/identities.js';
import { podsDifference } from '../rules/podsDifference.js';
import { judgeRayConverged } from '../rules/rayConverged.js';
import { earlier } from './digests.js';
import { convergedExpectation } from './ray.js';
import { judging, rayReading } from './readings.js';
import type { StepContext } from './stepContext.js';

/**
 * Ray once more by the strict rules, and the same pods as its own layer proved, none restarted since. Waits for a pod that is
 * unready for a moment. Throws `GateError` of the asking layer: `<layer>.ray-changed` when it is another Ray.
 */
export async function sameRay(context: StepContext): Promise<RayConverged> {
  const { layer, plan } = context;
  const proven = await earlier(context, 'ray');
  const expected = convergedExpectation(plan, proven.clusterUid);
  const store = await context.watch();
  const live = await store.until(
    judging(rayReading, (reading) => judgeRayConverged(reading, expected)),
    { deadline: context.deadline, layer, onProgress: context.progress, confirm: true },
  );
  const difference = podsDifference(proven.pods, live.pods);
  if (difference === undefined) return live;
  throw new GateError({ layer, code: `${layer}.ray-changed`, message: `Since Ray was proven, ${difference}.` });
}
