import type { Facts } from '../model/observation.js';
import { judgeAppConverged } from '../rules/appConverged.js';
import { appDigests } from './digests.js';
import { appReading, judging } from './readings.js';
import { heldEverySeconds, withHeld } from './sightings.js';
import type { StepContext } from './stepContext.js';

/** Waits until exactly the planned application pods run, through their owner chains, with nothing old left. */
export async function runAppConvergence(context: StepContext): Promise<Facts['app-convergence']> {
  const store = await context.watch();
  const expected = { contracts: context.plan.deployments, digests: await appDigests(context) };
  const deployments = await store.until(
    judging(withHeld(context, appReading), (reading) => judgeAppConverged(reading, expected)),
    {
      deadline: context.deadline,
      layer: 'app-convergence',
      onProgress: context.progress,
      confirm: true,
      everySeconds: heldEverySeconds,
    },
  );
  return { deployments };
}
