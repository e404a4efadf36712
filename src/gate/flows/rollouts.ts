import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import { webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { AppReading } from '../rules/appConverged.js';
import { creationFault } from '../rules/creationFault.js';
import { deploymentFault } from '../rules/deploymentConverged.js';
import { appReading, judging } from './readings.js';
import type { StepContext } from './stepContext.js';

/**
 * The managers were applied once, after Ray, with this run's mark in their template: the mark is what makes them roll. Here the
 * controller has taken that in; whether the rollout ends is the convergence barrier's business.
 */
export async function runRollouts(context: StepContext): Promise<Facts['rollouts']> {
  const store = await context.watch();
  const managers = context.plan.deployments.filter((deployment) => deployment.name !== webDeploymentName);
  const deployments = await store.until(
    judging(appReading, (reading) => judgeRolledOut(reading, managers, context.runId)),
    { deadline: context.deadline, layer: 'rollouts', onProgress: context.progress, confirm: true },
  );
  return { deployments };
}

export function judgeRolledOut(
  reading: AppReading,
  managers: readonly DeploymentContract[],
  runId: string,
): Verdict<Facts['rollouts']['deployments']> {
  const facts: { name: string; uid: string; generation: number }[] = [];
  const pending: string[] = [];
  for (const contract of managers) {
    const live = reading.deployments.find((deployment) => deployment.name === contract.name);
    if (live === undefined) {
      pending.push(`Deployment ${contract.name} is not there yet`);
      continue;
    }
    const fault = deploymentFault(live, contract);
    if (fault) return fault;
    if (live.template.restartMark !== runId) {
      const mark = live.template.restartMark ?? 'none';
      return failed(
        'rollouts.not-restarted',
        `Deployment ${live.name} carries the mark "${mark}" instead of this run's ${runId}.`,
      );
    }
    if (live.observedGeneration !== live.generation)
      pending.push(`${live.name}: generation ${live.generation} not observed yet`);
    else if (live.updatedReplicas !== contract.replicas) {
      const refused = creationFault({
        layer: 'rollouts',
        controller: `Deployment ${live.name}`,
        text: live.replicaFailure,
        leaving: reading.pods.some((pod) => pod.terminating),
      });
      if (refused) return refused;
      const why = live.replicaFailure === undefined ? '' : ` (${live.replicaFailure})`;
      pending.push(`${live.name}: updated ${live.updatedReplicas}/${contract.replicas}${why}`);
    } else facts.push({ name: live.name, uid: live.uid, generation: live.generation });
  }
  return pending.length > 0 ? waiting('rollouts.pending', pending.join('; ')) : ready(facts);
}
