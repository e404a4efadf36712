import { isClusterError } from '../../cluster/clusterError.js';
import { GateError } from '../../core/gateError.js';
import { sha256Of } from '../model/canonicalJson.js';
import type { RayConverged } from '../model/identities.js';
import { gateNamespace, kinds, rayClusterName } from '../model/kinds.js';
import { headAddress, kubeRayContracts } from '../model/kuberay.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan } from '../model/plan.js';
import { judgeRayConverged, type RayConvergedExpectation } from '../rules/rayConverged.js';
import { judgeRayInventory, type RayExpectation } from '../rules/rayInventory.js';
import { awaitDrained } from './drain.js';
import { mutate } from './persist.js';
import { judging, rayReading } from './readings.js';
import type { StepContext } from './stepContext.js';

interface RestartMark {
  readonly clusterUid: string;
  readonly retiredUids: readonly string[];
}

/**
 * Restarts Ray cold when the trigger asks for it: exactly the verified pods are deleted, by UID, and exactly the planned ones
 * must come up, all of them new. Then work is drained once more, for the managers roll next.
 */
export async function runRay(context: StepContext): Promise<Facts['ray']> {
  const { plan } = context;
  const restart = plan.ray.restart === 'required' ? await restartPods(context) : undefined;
  const store = await context.watch();
  const expected: RayConvergedExpectation = {
    ...convergedExpectation(plan, restart?.clusterUid),
    retiredUids: new Set(restart?.retiredUids ?? []),
  };
  const converged = await store.until(
    judging(rayReading, (reading) => judgeRayConverged(reading, expected)),
    {
      deadline: context.deadline,
      layer: 'ray',
      onProgress: context.progress,
      confirm: true,
    },
  );
  if (plan.drain === 'wait') await awaitDrained(context);
  return {
    restart: restart ? 'performed' : 'skipped-by-explicit-trigger-choice',
    retiredUids: restart?.retiredUids ?? [],
    ...converged,
    podsSha256: rayPodsSha256(converged),
  };
}

/** Deletes what runs, each pod by its UID. A restart of this run that a kill interrupted after the deletes is not repeated. */
async function restartPods(context: StepContext): Promise<RestartMark> {
  const done = await context.run.readMark<RestartMark>('ray-restarted');
  if (done !== undefined) return done;
  const store = await context.watch();
  const inventory = await store.until(
    judging(rayReading, (reading) => judgeRayInventory(reading, rayExpectation(context.plan, undefined))),
    { deadline: context.deadline, layer: 'ray', onProgress: context.progress, confirm: true },
  );
  if (context.plan.drain === 'wait') await awaitDrained(context);
  // Written before the first delete: whichever of them a kill lets happen, these UIDs must be gone in the end.
  const mark = { clusterUid: inventory.clusterUid, retiredUids: inventory.pods.map(({ pod }) => pod.uid) };
  const names = inventory.pods.map(({ pod }) => pod.name).join(', ');
  context.progress(names === '' ? 'no Ray pod to restart' : `deleting ${names}`);
  for (const { pod } of inventory.pods) {
    const ref = { ...kinds.pod, name: pod.name, namespace: gateNamespace };
    await mutate(`deleting pod ${pod.name}`, () => removePod(context, ref, pod.uid), context);
  }
  await context.run.writeMark('ray-restarted', mark);
  return mark;
}

async function removePod(
  context: StepContext,
  ref: Parameters<StepContext['cluster']['remove']>[0],
  uid: string,
): Promise<void> {
  try {
    await context.cluster.remove(ref, { uid });
  } catch (error) {
    // Another UID under this name: the verified pod is gone, and its successor was never ours to delete.
    if (isClusterError(error) && error.code === 'conflict') return;
    throw error;
  }
}

export function rayExpectation(plan: RunPlan, clusterUid: string | undefined): RayExpectation {
  return { clusterName: rayClusterName, namespace: gateNamespace, topology: plan.ray.topology, clusterUid };
}

export function convergedExpectation(plan: RunPlan, clusterUid: string | undefined): RayConvergedExpectation {
  const operator = kubeRayContracts[plan.ray.operatorVersion];
  if (operator === undefined) {
    const known = Object.keys(kubeRayContracts).join(', ');
    const message = `KubeRay ${plan.ray.operatorVersion} is not supported; supported: ${known}.`;
    throw new GateError({ layer: 'ray', code: 'ray.operator-unsupported', message });
  }
  return {
    ...rayExpectation(plan, clusterUid),
    operator,
    headAddress: headAddress(rayClusterName, gateNamespace),
    retiredUids: new Set(),
  };
}

/** Digest of who the Ray pods are and what they run, restarts aside. */
export function rayPodsSha256(converged: RayConverged): string {
  return sha256Of(
    converged.pods.map(({ name, uid, initContainers, containers }) => ({ name, uid, initContainers, containers })),
  );
}
