import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import type { ConvergedDeployment, PodIdentity } from '../model/identities.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import type { DeploymentFacts, ReplicaSetFacts } from '../model/rolloutFacts.js';
import {
  deploymentFault,
  deploymentPending,
  type OwnedReplicaSets,
  replicaSetPending,
  satisfies,
  splitReplicaSets,
} from './deploymentConverged.js';
import { judgePodContract, type PodContractOptions, specDifference } from './podContract.js';
import { podFault, podProgress } from './podFault.js';
import { noAdditions, podDifference } from './templateDifference.js';

/** One moment of the namespace: everything, whatever its labels, so that nothing hides behind a label. */
export interface AppReading {
  readonly deployments: readonly DeploymentFacts[];
  readonly replicaSets: readonly ReplicaSetFacts[];
  readonly pods: readonly PodFacts[];
}

export interface AppExpectation {
  readonly contracts: readonly DeploymentContract[];
  readonly digests: NonNullable<PodContractOptions['digests']>;
}

interface Guarded {
  readonly contract: DeploymentContract;
  readonly live: DeploymentFacts;
  readonly sets: OwnedReplicaSets;
}

/**
 * Whether each planned Deployment runs exactly its planned pods, through owner chains (Deployment -> current ReplicaSet -> pod),
 * with nothing old left. A structural fault ends at once; what a rollout passes through is waited for, all of it named.
 */
export function judgeAppConverged(
  reading: AppReading,
  expected: AppExpectation,
): Verdict<readonly ConvergedDeployment[]> {
  const guarded: Guarded[] = [];
  const pending: string[] = [];
  for (const contract of expected.contracts) {
    const live = reading.deployments.find((deployment) => deployment.name === contract.name);
    if (live === undefined) {
      pending.push(`Deployment ${contract.name} is not there yet`);
      continue;
    }
    const fault = deploymentFault(live, contract);
    if (fault) return fault;
    const split = splitReplicaSets(live, contract, reading.replicaSets);
    if ('fault' in split) return split.fault;
    guarded.push({ contract, live, sets: split.sets });
    pending.push(...deploymentPending(live, contract), ...replicaSetPending(live, split.sets, contract.replicas));
  }
  const converged: ConvergedDeployment[] = [];
  const pods: string[] = [];
  const stray = strayPod(reading.pods, guarded);
  if (stray !== undefined) return failed('app-convergence.stray-pod', stray);
  for (const { contract, live, sets } of guarded) {
    const verdict = judgePods(reading.pods, contract, sets, expected.digests);
    if (verdict.kind === 'failed') return verdict;
    if (verdict.kind === 'waiting') pods.push(verdict.detail);
    else if (sets.current) {
      const replicaSet = { name: sets.current.name, uid: sets.current.uid };
      const { name, uid, generation, readyReplicas } = live;
      converged.push({ name, uid, generation, readyReplicas, replicaSet, pods: verdict.facts });
    }
  }
  // Pods first: they say why the counts are what they are.
  const all = [...pods, ...pending];
  return all.length > 0 ? waiting('app-convergence.pending', all.join('; ').slice(0, 4_000)) : ready(converged);
}

/** A pod that a guarded Deployment would select, but that none of its ReplicaSets controls; or one that claims two of them. */
function strayPod(pods: readonly PodFacts[], guarded: readonly Guarded[]): string | undefined {
  const owned = new Map(guarded.flatMap(({ sets }) => setsOf(sets).map((set) => [set.uid, set] as const)));
  for (const pod of pods) {
    const claims = pod.owners.filter((owner) => owned.has(owner.uid));
    if (claims.length > 1) return `Pod ${pod.name} claims ${claims.length} ReplicaSets.`;
    const controller = controllerOf(pod.owners);
    const [claim] = claims;
    if (claim !== undefined) {
      const set = owned.get(claim.uid);
      if (controller?.uid !== claim.uid || controller.kind !== 'ReplicaSet' || controller.name !== set?.name) {
        return `Pod ${pod.name} claims ReplicaSet ${set?.name} but is not controlled by it.`;
      }
      continue;
    }
    const selecting = guarded.find(({ contract }) => satisfies(pod.labels, contract.selector));
    // A finished pod is what its Deployment left behind; only living ones can take traffic or work.
    if (selecting !== undefined && pod.phase !== 'Failed' && pod.phase !== 'Succeeded') {
      return `Pod ${pod.name} carries the labels of Deployment ${selecting.contract.name} but is controlled by ${controller ? `${controller.kind} ${controller.name}` : 'nobody'}.`;
    }
  }
  return undefined;
}

function judgePods(
  pods: readonly PodFacts[],
  contract: DeploymentContract,
  sets: OwnedReplicaSets,
  digests: AppExpectation['digests'],
): Verdict<readonly PodIdentity[]> {
  const pending: string[] = [];
  const identities: PodIdentity[] = [];
  for (const set of setsOf(sets)) {
    for (const pod of pods.filter((candidate) => controllerOf(candidate.owners)?.uid === set.uid)) {
      if (!satisfies(pod.labels, set.selector) || !satisfies(pod.labels, contract.selector)) {
        return failed(
          'app-convergence.pod-labels',
          `Pod ${pod.name} of ${set.name} has lost the labels that select it.`,
        );
      }
      const difference = specDifference(pod, set.template);
      if (difference !== undefined) return failed('app-convergence.pod-images', `Pod ${pod.name} has ${difference}.`);
      // Its own ReplicaSet's, which for the current one is the planned template.
      const drift = podDifference(pod.whole, set.template.whole, noAdditions);
      if (drift !== undefined)
        return failed('app-convergence.pod-spec', `Pod ${pod.name} is not what ${set.name} says at ${drift}.`);
      if (set !== sets.current) {
        pending.push(`old pod ${pod.name} is still there`);
        continue;
      }
      const verdict = judgeCurrentPod(pod, contract, digests);
      if (verdict.kind === 'failed') return verdict;
      if (verdict.kind === 'waiting') pending.push(verdict.detail);
      else identities.push(verdict.facts);
    }
  }
  if (pending.length > 0) return waiting('app-convergence.pods', pending.join('; '));
  if (identities.length !== contract.replicas) {
    return waiting('app-convergence.pod-count', `${contract.name}: ${identities.length}/${contract.replicas} pods`);
  }
  return ready(identities.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function judgeCurrentPod(
  pod: PodFacts,
  contract: DeploymentContract,
  digests: AppExpectation['digests'],
): Verdict<PodIdentity> {
  const layer = 'app-convergence';
  if (pod.terminating) return waiting(`${layer}.terminating`, `${pod.name} is terminating`);
  const fault = podFault(pod);
  if (fault) return failed(`${layer}.${fault.code}`, fault.detail);
  const identity = judgePodContract(pod, contract.pod, { layer, digests });
  if (identity.kind !== 'ready')
    return identity.kind === 'waiting' ? waiting(identity.code, podProgress(pod)) : identity;
  const unready = !pod.ready || pod.statuses.some((status) => !status.ready);
  return unready ? waiting(`${layer}.not-ready`, podProgress(pod)) : identity;
}

function setsOf(sets: OwnedReplicaSets) {
  return sets.current ? [sets.current, ...sets.old] : sets.old;
}
