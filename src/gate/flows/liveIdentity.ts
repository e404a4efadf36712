import { allReady, failed, ready, type Verdict } from '../../core/verdict.js';
import type { ProvenIdentity } from '../model/identities.js';
import { setupJobName } from '../model/kinds.js';
import type { RunPlan } from '../model/plan.js';
import { controllerOf } from '../model/podFacts.js';
import { type AppExpectation, type AppReading, judgeAppConverged } from '../rules/appConverged.js';
import { judgeRayConverged } from '../rules/rayConverged.js';
import type { RayReading } from '../rules/rayInventory.js';
import { judgeSetup, type SetupFacts, type SetupReading } from '../rules/setupJob.js';
import { convergedExpectation } from './ray.js';

export interface WholeReading {
  readonly ray: RayReading;
  readonly app: AppReading;
  readonly setup: SetupReading;
}

export interface LiveExpectation {
  /** What containers may run, by reference; `judged-later`: what they run is taken down only. */
  readonly digests: AppExpectation['digests'];
  readonly rayClusterUid: string | undefined;
}

/** Judges everything that was deployed by the same rules once more, and says who it is. */
export function judgeLiveIdentity(
  reading: WholeReading,
  plan: RunPlan,
  { digests, rayClusterUid }: LiveExpectation,
): Verdict<ProvenIdentity> {
  const ray = judgeRayConverged(reading.ray, { ...convergedExpectation(plan, rayClusterUid), digests });
  const contracts = [...plan.deployments, ...plan.supporting];
  const deployments = judgeAppConverged(reading.app, { contracts, digests });
  const setup = judgeSetupAlive(reading.setup, plan, digests);
  const all = allReady<unknown>([ray, deployments, setup]);
  if (all.kind !== 'ready') return all;
  if (ray.kind !== 'ready' || deployments.kind !== 'ready' || setup.kind !== 'ready') {
    return failed('final-identity.internal', 'unreachable');
  }
  const isSupporting = (name: string) => plan.supporting.some((contract) => contract.name === name);
  return ready({
    ray: ray.facts,
    deployments: deployments.facts.filter(({ name }) => !isSupporting(name)),
    supporting: deployments.facts.filter(({ name }) => isSupporting(name)),
    setup: { jobUid: setup.facts.jobUid, pod: setup.facts.pod },
  });
}

/** The Job that ended well is still there with its pod; whose Job it is, the comparison with what was pinned says. */
function judgeSetupAlive(
  reading: SetupReading,
  plan: RunPlan,
  digests: AppExpectation['digests'],
): Verdict<SetupFacts> {
  const { job, pods } = reading;
  if (job === undefined || !job.complete)
    return failed('setup.job-gone', 'The setup Job is gone or not complete: run again.');
  if (!pods.some((pod) => controllerOf(pod.owners)?.uid === job.uid))
    return failed('setup.pod-gone', `The pod of setup Job ${job.name} is gone: run again.`);
  const { pod, template } = plan.setup;
  const names = { jobName: setupJobName, containerName: setupJobName };
  const expected = { ...names, jobUid: job.uid, pod, template, digests };
  return judgeSetup(reading, expected);
}
