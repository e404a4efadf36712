import { allReady, failed, ready, type Verdict } from '../../core/verdict.js';
import type { LocalImage } from '../../host/docker.js';
import type { RunPlan } from '../model/plan.js';
import { type AppReading, judgeAppConverged } from '../rules/appConverged.js';
import { judgeRayConverged } from '../rules/rayConverged.js';
import type { RayReading } from '../rules/rayInventory.js';
import type { SetupReading } from '../rules/setupJob.js';
import type { ProvenIdentity } from '../rules/stillProven.js';
import { digestsOf } from './digests.js';
import { convergedExpectation } from './ray.js';

export interface WholeReading {
  readonly ray: RayReading;
  readonly app: AppReading;
  readonly setup: SetupReading;
}

/** Judges everything that was proven by the same rules once more, and says who it is. */
export function judgeLiveIdentity(
  reading: WholeReading,
  plan: RunPlan,
  app: LocalImage,
  rayClusterUid: string | undefined,
): Verdict<ProvenIdentity> {
  const ray = judgeRayConverged(reading.ray, convergedExpectation(plan, rayClusterUid));
  const deployments = judgeAppConverged(reading.app, { contracts: plan.deployments, digests: digestsOf(app) });
  const { job } = reading.setup;
  const setup: Verdict = job?.complete ? ready({}) : failed('setup.job-gone', 'The setup Job is gone or not complete.');
  const all = allReady<unknown>([ray, deployments, setup]);
  if (all.kind !== 'ready' || ray.kind !== 'ready' || deployments.kind !== 'ready') {
    return all.kind === 'ready' ? failed('final-identity.internal', 'unreachable') : all;
  }
  return ready({ ray: ray.facts, deployments: deployments.facts, setupJobUid: job?.uid ?? '' });
}
