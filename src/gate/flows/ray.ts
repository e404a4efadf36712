import { isClusterError } from '../../cluster/clusterError.js';
import { GateError } from '../../core/gateError.js';
import { ready, type Verdict, waiting } from '../../core/verdict.js';
import { sha256Of } from '../model/canonicalJson.js';
import type { RayConverged } from '../model/identities.js';
import { gateNamespace, kinds, rayClusterName } from '../model/kinds.js';
import { headAddress, kubeRayContracts } from '../model/kuberay.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan } from '../model/plan.js';
import { plannedRayPods } from '../model/rayPods.js';
import { judgeRayConverged, type RayConvergedExpectation } from '../rules/rayConverged.js';
import type { RayExpectation, RayReading } from '../rules/rayInventory.js';
import { judgeRestartDiscovery } from '../rules/rayRestart.js';
import { awaitDrained } from './drain.js';
import { mutate } from './persist.js';
import { judging, rayReading } from './readings.js';
import { ownDeadline, type StepContext } from './stepContext.js';

interface RetiredPod {
  readonly name: string;
  readonly uid: string;
  readonly role: string;
}

/** Which pods this run's restart takes away; kept before the first delete, so that a kill can interrupt it anywhere. */
interface RestartMark {
  readonly clusterUid: string;
  readonly retired: readonly RetiredPod[];
}

/**
 * Restarts Ray cold when the trigger asks for it: exactly the verified pods are deleted, by UID, and exactly the planned ones
 * must come up, all of them new. Then work is drained once more, for the managers roll next.
 */
export async function runRay(context: StepContext): Promise<Facts['ray']> {
  const { plan } = context;
  const restart = plan.ray.restart === 'required' ? await restartPods(context) : undefined;
  const retiredUids = (restart?.retired ?? []).map((pod) => pod.uid);
  const store = await context.watch();
  const expected: RayConvergedExpectation = {
    ...convergedExpectation(plan, restart?.clusterUid),
    retiredUids: new Set(retiredUids),
  };
  const converged = await store.until(
    judging(rayReading, (reading) => judgeRayConverged(reading, expected)),
    {
      deadline: ownDeadline(context),
      layer: 'ray',
      onProgress: context.progress,
      confirm: true,
    },
  );
  if (plan.drain === 'wait') await awaitDrained(context);
  return {
    restart: restart ? 'performed' : 'skipped-by-explicit-trigger-choice',
    retiredUids,
    ...converged,
    podsSha256: rayPodsSha256(converged),
  };
}

/**
 * Deletes what runs, each pod by its UID: the heads first, and the workers only when those are gone. A new worker that still
 * finds the old head joins it, and dies with it a minute later (seen with Ray 2.60.0).
 */
async function restartPods(context: StepContext): Promise<RestartMark> {
  const mark = (await context.run.readMark<RestartMark>('ray-restart')) ?? (await discoverPods(context));
  if (context.plan.drain === 'wait') await awaitDrained(context);
  await context.run.writeMark('ray-restart', mark);
  const heads = mark.retired.filter((pod) => pod.role === 'head');
  await removePods(context, heads);
  const store = await context.watch();
  await store.until(
    judging(rayReading, (reading) => judgeGone(reading, heads)),
    {
      deadline: ownDeadline(context),
      layer: 'ray',
      onProgress: context.progress,
    },
  );
  await removePods(
    context,
    mark.retired.filter((pod) => pod.role !== 'head'),
  );
  return mark;
}

async function discoverPods(context: StepContext): Promise<RestartMark> {
  const expected = convergedExpectation(context.plan, undefined);
  const store = await context.watch();
  const inventory = await store.until(
    judging(rayReading, (reading) => judgeRestartDiscovery(reading, expected)),
    { deadline: ownDeadline(context), layer: 'ray', onProgress: context.progress, confirm: true },
  );
  const retired = inventory.pods.map(({ pod, role }) => ({ name: pod.name, uid: pod.uid, role }));
  return { clusterUid: inventory.clusterUid, retired };
}

function judgeGone({ pods }: RayReading, retired: readonly RetiredPod[]): Verdict {
  const left = retired.filter((one) => pods.some((pod) => pod.uid === one.uid));
  return left.length === 0
    ? ready({})
    : waiting('ray.old-head', `old ${left.map((pod) => pod.name).join(', ')} still there`);
}

async function removePods(context: StepContext, pods: readonly RetiredPod[]): Promise<void> {
  if (pods.length === 0) return;
  context.progress(`deleting ${pods.map((pod) => pod.name).join(', ')}`);
  await Promise.all(
    pods.map(({ name, uid }) => {
      const ref = { ...kinds.pod, name, namespace: gateNamespace };
      return mutate(`deleting pod ${name}`, () => removePod(context, ref, uid), context);
    }),
  );
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
    pods: plannedRayPods(plan.ray, operator),
    retiredUids: new Set(),
  };
}

/** Digest of who the Ray pods are and what they run, restarts aside. */
export function rayPodsSha256(converged: RayConverged): string {
  return sha256Of(
    converged.pods.map(({ name, uid, initContainers, containers }) => ({ name, uid, initContainers, containers })),
  );
}
