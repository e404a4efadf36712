import { failed, ready, type Unready, type Verdict, waiting } from '../../core/verdict.js';
import type { PodContract, RayTopology } from '../model/contracts.js';
import type { PodIdentity, RayConverged, RayPodIdentity } from '../model/identities.js';
import type { KubeRayContract } from '../model/kuberayContract.js';
import type { PodFacts } from '../model/podFacts.js';
import type { PodTemplate } from '../model/podTemplate.js';
import { judgePodContract, type PodContractOptions } from './podContract.js';
import { podFault, podProgress } from './podFault.js';
import { judgeRayInventory, type RayExpectation, type RayPod, type RayReading } from './rayInventory.js';
import { podDifference } from './templateDifference.js';

export interface RayConvergedExpectation extends RayExpectation {
  readonly operator: KubeRayContract;
  /** `<cluster>-head-svc.<namespace>.svc.cluster.local:6379`. */
  readonly headAddress: string;
  /** UIDs that the restart deleted; a pod that still has one of them is waited for. */
  readonly retiredUids: ReadonlySet<string>;
  /** The whole pods that the operator makes of the plan, by role. */
  readonly pods: Readonly<Record<string, PodTemplate>>;
  /** What the containers may run; undefined: any content under the planned name. */
  readonly digests?: NonNullable<PodContractOptions['digests']>;
}

/** Whether exactly the planned pods run, all of them Ready, none of them from before the restart. */
export function judgeRayConverged(reading: RayReading, expected: RayConvergedExpectation): Verdict<RayConverged> {
  const inventory = judgeRayInventory(reading, expected);
  if (inventory.kind !== 'ready') return inventory;
  const current = inventory.facts.pods.filter(({ pod }) => !expected.retiredUids.has(pod.uid));
  const retired = inventory.facts.pods.filter(({ pod }) => expected.retiredUids.has(pod.uid));
  for (const { pod } of current) {
    const fault = podFault(pod);
    if (fault) return failed(`ray.${fault.code}`, fault.detail);
  }
  if (retired.length > 0) {
    return waiting('ray.old-pods', `old pods still there: ${retired.map(({ pod }) => pod.name).join(', ')}`);
  }
  const leaving = current.filter(({ pod }) => pod.terminating);
  if (leaving.length > 0) {
    return waiting('ray.terminating', `terminating: ${leaving.map(({ pod }) => pod.name).join(', ')}`);
  }
  const distribution = judgeDistribution(current, expected.topology);
  if (distribution?.kind === 'failed') return distribution;
  const identities: RayPodIdentity[] = [];
  const pending: Unready[] = distribution ? [distribution] : [];
  for (const { pod, role } of current) {
    const verdict = judgeRayPod(pod, role, expected);
    if (verdict.kind === 'failed') return verdict;
    if (verdict.kind === 'waiting') pending.push(verdict);
    else identities.push({ ...verdict.facts, role });
  }
  const first = pending[0];
  if (first) return { kind: 'waiting', code: first.code, detail: pending.map((verdict) => verdict.detail).join('; ') };
  identities.sort((a, b) => (a.name < b.name ? -1 : 1));
  const heads = identities.filter((pod) => pod.role === 'head').length;
  return ready({ clusterUid: inventory.facts.clusterUid, pods: identities, heads, workers: identities.length - heads });
}

/** How many pods of each role the plan has: `head`, `worker:<group>`. */
export function plannedDistribution(topology: RayTopology): ReadonlyMap<string, number> {
  return new Map([['head', 1], ...topology.groups.map((group) => [`worker:${group.name}`, group.replicas] as const)]);
}

function judgeDistribution(pods: readonly RayPod[], topology: RayTopology): Unready | undefined {
  const missing: string[] = [];
  for (const [role, planned] of plannedDistribution(topology)) {
    const names = pods.filter((pod) => pod.role === role).map(({ pod }) => pod.name);
    if (names.length > planned) {
      return failed('ray.surplus', `${role} has ${names.length} pods instead of ${planned}: ${names.join(', ')}`);
    }
    if (names.length < planned) missing.push(`${role} ${names.length}/${planned}`);
  }
  return missing.length > 0 ? waiting('ray.missing-pods', missing.join(', ')) : undefined;
}

function judgeRayPod(pod: PodFacts, role: string, expected: RayConvergedExpectation): Verdict<PodIdentity> {
  const contract = rayPodContract(role, expected);
  if (role !== 'head') {
    const init = judgeInitContainer(pod, expected);
    if (init) return init;
  }
  const identity = judgePodContract(pod, contract, {
    layer: 'ray',
    ...(expected.digests === undefined ? {} : { digests: expected.digests }),
  });
  if (identity.kind === 'failed') return identity;
  const planned = expected.pods[role];
  const drift = planned && podDifference(pod.whole, planned, expected.operator.additions);
  if (planned === undefined || drift !== undefined) {
    return failed('ray.pod-spec', `Pod ${pod.name} is not what the plan makes of ${role} at ${drift ?? 'all'}.`);
  }
  if (identity.kind === 'waiting') return waiting(identity.code, podProgress(pod));
  if (!pod.ready || pod.statuses.some((status) => !status.ready)) return waiting('ray.not-ready', podProgress(pod));
  if (role !== 'head') {
    const status = pod.initStatuses[0];
    const ended = status?.terminated;
    if (status?.restartCount !== 0 || ended?.exitCode !== 0 || ended.reason !== 'Completed') {
      const how = ended ? `ended with ${ended.exitCode} ${ended.reason}` : 'did not end';
      return failed(
        'ray.init-status',
        `Init container of ${pod.name} ${how} after ${status?.restartCount ?? 0} restarts.`,
      );
    }
  }
  return identity;
}

/** The planned containers and what the operator adds to them. */
export function rayPodContract(role: string, expected: RayConvergedExpectation): PodContract {
  const { topology, operator } = expected;
  if (role === 'head') return topology.head;
  const group = topology.groups.find((candidate) => role === `worker:${candidate.name}`);
  const containers = group?.containers ?? [];
  const added = { name: operator.initContainer.name, image: containers[0]?.image ?? '' };
  return { initContainers: [...(group?.initContainers ?? []), added], containers };
}

/** The operator's init container, compared literally: it is a program that runs in our pods. */
function judgeInitContainer(pod: PodFacts, expected: RayConvergedExpectation): Unready | undefined {
  const { operator, headAddress } = expected;
  const init = pod.initContainers.find((container) => container.name === operator.initContainer.name);
  if (init === undefined) {
    const detail = `Pod ${pod.name} lacks the init container ${operator.initContainer.name} of KubeRay ${operator.version}.`;
    return failed('ray.init-container', detail);
  }
  const lines = (init.args[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wanted = operator.initContainer.scriptLines(headAddress);
  const sameCommand = init.command.join('\0') === operator.initContainer.command.join('\0') && init.args.length === 1;
  if (!sameCommand || lines.join('\n') !== wanted.join('\n')) {
    const line = wanted.findIndex((text, i) => text !== lines[i]);
    const where = sameCommand
      ? `differs from KubeRay ${operator.version}'s at line ${line + 1}`
      : 'has another command';
    return failed('ray.init-script', `Init container ${init.name} of pod ${pod.name} ${where}.`);
  }
  return undefined;
}
