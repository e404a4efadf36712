import type { View } from '../../cluster/watchStore.js';
import { failed, ready, type Verdict } from '../../core/verdict.js';
import { setupJobName, webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { judgeAppConverged } from '../rules/appConverged.js';
import { judgeRayConverged } from '../rules/rayConverged.js';
import { judgeSetup } from '../rules/setupJob.js';
import { digestsOf } from './digests.js';
import { convergedExpectation } from './ray.js';
import { appReading, judging, rayReading, setupReading } from './readings.js';
import { judgeRolledOut } from './rollouts.js';
import { judgeWorkloads } from './workloads.js';

export interface Look {
  readonly plan: RunPlan;
  readonly runId: string;
  readonly view: View;
  /** What the layers of the run saw. */
  readonly seen: { readonly [L in StepLayer]?: Facts[L] };
  /** Ids of the images as they are now, by reference. */
  readonly imageIds: Readonly<Record<string, string | undefined>>;
}

type LookAt = (look: Look, digests: Readonly<Record<string, readonly string[]>>) => Verdict<unknown>;

/** The layers whose rules can be asked about what lives, without a request to the application. */
const table: { readonly [L in StepLayer]?: LookAt } = {
  images: ({ seen, imageIds }) => {
    for (const { reference, id } of seen.images ? [seen.images.app, seen.images.legacy] : []) {
      const now = imageIds[reference];
      if (now !== id) return failed('images.changed', `The image ${reference} is ${now ?? 'gone'} instead of ${id}.`);
    }
    return ready({});
  },
  setup: ({ view, plan, seen }, digests) =>
    judging(setupReading, (reading) =>
      judgeSetup(reading, {
        jobName: setupJobName,
        jobUid: seen.setup?.jobUid ?? reading.job?.uid ?? '',
        containerName: setupJobName,
        pod: plan.setup.pod,
        digests,
      }),
    )(view),
  workloads: ({ view, plan }) =>
    judging(
      (now) => ({ ray: rayReading(now), app: appReading(now) }),
      (reading) => judgeWorkloads(reading, plan),
    )(view),
  ray: ({ view, plan, seen }) =>
    judging(rayReading, (reading) => judgeRayConverged(reading, convergedExpectation(plan, seen.ray?.clusterUid)))(
      view,
    ),
  rollouts: ({ view, plan, runId }) => {
    const managers = plan.deployments.filter((deployment) => deployment.name !== webDeploymentName);
    return judging(appReading, (reading) => judgeRolledOut(reading, managers, runId))(view);
  },
  'app-convergence': ({ view, plan }, digests) =>
    judging(appReading, (reading) => judgeAppConverged(reading, { contracts: plan.deployments, digests }))(view),
};

/** The layers' own rules over a fresh look. A layer that is not in the answer cannot be looked at without acting. */
export function lookAtLayers(look: Look): { readonly [L in StepLayer]?: Verdict<unknown> } {
  const digests = look.seen.images ? digestsOf(look.seen.images.app) : {};
  const entries = Object.entries(table) as [StepLayer, LookAt][];
  return Object.fromEntries(entries.map(([layer, lookAt]) => [layer, lookAt(look, digests)]));
}
