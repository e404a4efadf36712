import { ready, type Verdict, waiting } from '../../core/verdict.js';
import { webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan } from '../model/plan.js';
import type { AppReading } from '../rules/appConverged.js';
import { deploymentFault } from '../rules/deploymentConverged.js';
import { judgeRayInventory, type RayReading } from '../rules/rayInventory.js';
import { rayExpectation } from './ray.js';
import { appReading, judging, rayReading } from './readings.js';
import type { StepContext } from './stepContext.js';

/** The web Deployment and the RayCluster that were applied are the planned ones, and are controlled by nobody else. */
export async function runWorkloads(context: StepContext): Promise<Facts['workloads']> {
  const store = await context.watch();
  const read = (view: Parameters<typeof rayReading>[0]) => ({ ray: rayReading(view), app: appReading(view) });
  return store.until(
    judging(read, (reading) => judgeWorkloads(reading, context.plan)),
    {
      deadline: context.deadline,
      layer: 'workloads',
      onProgress: context.progress,
      confirm: true,
    },
  );
}

export function judgeWorkloads(
  { ray, app }: { readonly ray: RayReading; readonly app: AppReading },
  plan: RunPlan,
): Verdict<Facts['workloads']> {
  const inventory = judgeRayInventory(ray, rayExpectation(plan, undefined));
  if (inventory.kind !== 'ready') return inventory;
  const contract = plan.deployments.find((deployment) => deployment.name === webDeploymentName);
  const web = app.deployments.find((deployment) => deployment.name === webDeploymentName);
  if (web === undefined || contract === undefined) {
    return waiting('workloads.web-absent', `Deployment ${webDeploymentName} is not there yet`);
  }
  const fault = deploymentFault(web, contract);
  if (fault) return fault;
  return ready({ rayClusterUid: inventory.facts.clusterUid, webDeploymentUid: web.uid });
}
