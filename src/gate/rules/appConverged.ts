import { failed, ready, type Unready, type Verdict, waiting } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import type { Held } from '../model/held.js';
import type { ConvergedDeployment, PodIdentity } from '../model/identities.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import type { DeploymentFacts, ReplicaSetFacts } from '../model/rolloutFacts.js';
import { creationFault } from './creationFault.js';
import {
  deploymentFault,
  deploymentPending,
  type OwnedReplicaSets,
  replicaSetPending,
  satisfies,
  splitReplicaSets,
} from './deploymentConverged.js';
import { namespaceFault } from './namespaceBounds.js';
import { judgePodContract, type PodContractOptions, specDifference } from './podContract.js';
import { finalizerText, heldFault, podFault, podProgress } from './podFault.js';
import { findStray, setsOf } from './strays.js';
import { noAdditions, podDifference } from './templateDifference.js';

/** One moment of the namespace: everything, whatever its labels, so that nothing hides behind a label. */
export interface AppReading {
  readonly deployments: readonly DeploymentFacts[];
  readonly replicaSets: readonly ReplicaSetFacts[];
  readonly pods: readonly PodFacts[];
  readonly held?: Held;
}

export interface AppExpectation {
  readonly contracts: readonly DeploymentContract[];
  /** Of the application's image, by normalised reference. */
  readonly digests: NonNullable<PodContractOptions['digests']>;
}

interface GuardedDeployment {
  readonly contract: DeploymentContract;
  readonly live: DeploymentFacts;
  readonly sets: OwnedReplicaSets;
}

const detailCharacters = 4_000;
const podCount = 'app-convergence.pod-count';

/**
 * Whether each planned Deployment runs exactly its planned pods, through owner chains (Deployment -> current ReplicaSet -> pod),
 * with nothing old left and nobody else doing its work. A structural fault ends at once; what a rollout passes through is waited
 * for, all of it named, under the code of what comes first.
 */
export function judgeAppConverged(
  reading: AppReading,
  expected: AppExpectation,
): Verdict<readonly ConvergedDeployment[]> {
  const unreadable = namespaceFault(reading);
  if (unreadable) return unreadable;
  const guarded: GuardedDeployment[] = [];
  const pending: Unready[] = [];
  for (const contract of expected.contracts) {
    const live = reading.deployments.find((deployment) => deployment.name === contract.name);
    if (live === undefined) {
      pending.push(waiting('app-convergence.absent', `Deployment ${contract.name} is not there yet`));
      continue;
    }
    const fault = deploymentFault(live, contract);
    if (fault) return fault;
    const split = splitReplicaSets(live, contract, reading.replicaSets);
    if ('fault' in split) return split.fault;
    const { current } = split.sets;
    const refused = creationFault({
      layer: 'app-convergence',
      controller: `ReplicaSet ${current?.name}`,
      text: current?.replicaFailure,
      leaving: reading.pods.some((pod) => pod.terminating),
    });
    if (refused) return refused;
    guarded.push({ contract, live, sets: split.sets });
    pending.push(...deploymentPending(live, contract), ...replicaSetPending(live, split.sets, contract.replicas));
  }
  const stray = findStray(
    reading.pods,
    reading.replicaSets,
    guarded,
    expected.digests === 'judged-later' ? {} : expected.digests,
  );
  if (stray) return stray;
  const converged: ConvergedDeployment[] = [];
  const [pods, counts]: [Unready[], Unready[]] = [[], []];
  for (const { contract, live, sets } of guarded) {
    const verdict = judgePods(reading, contract, sets, expected.digests);
    if (verdict.kind === 'failed') return verdict;
    if (verdict.kind === 'waiting') (verdict.code === podCount ? counts : pods).push(verdict);
    else if (sets.current) {
      const replicaSet = { name: sets.current.name, uid: sets.current.uid };
      const { name, uid, generation, readyReplicas } = live;
      converged.push({ name, uid, generation, readyReplicas, replicaSet, pods: verdict.facts });
    }
  }
  // Pods first: they say why the counts are what they are. That there are too few follows from the rest.
  return joined([...pods, ...pending, ...counts]) ?? ready(converged);
}

function judgePods(
  { pods, held }: AppReading,
  contract: DeploymentContract,
  sets: OwnedReplicaSets,
  digests: AppExpectation['digests'],
): Verdict<readonly PodIdentity[]> {
  const pending: Unready[] = [];
  const identities: PodIdentity[] = [];
  for (const set of setsOf(sets)) {
    for (const pod of pods.filter((candidate) => controllerOf(candidate.owners)?.uid === set.uid)) {
      const fault = ownedPodFault(pod, set, contract);
      if (fault) return fault;
      const stuck = heldFault(pod, held);
      if (stuck) return failed(`app-convergence.${stuck.code}`, stuck.detail);
      if (set !== sets.current) {
        pending.push(oldPodPending(pod));
        continue;
      }
      const verdict = judgeCurrentPod(pod, contract, digests);
      if (verdict.kind === 'failed') return verdict;
      if (verdict.kind === 'waiting') pending.push(verdict);
      else identities.push(verdict.facts);
    }
  }
  const open = joined(pending);
  if (open) return open;
  if (identities.length !== contract.replicas) {
    return waiting(podCount, `${contract.name}: ${identities.length}/${contract.replicas} pods`);
  }
  return ready(identities.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

/** What no time mends about a pod of one of our ReplicaSets, old or current: it is not what that ReplicaSet made. */
function ownedPodFault(pod: PodFacts, set: ReplicaSetFacts, contract: DeploymentContract): Unready | undefined {
  if (!satisfies(pod.labels, set.selector) || !satisfies(pod.labels, contract.selector)) {
    const detail = `Pod ${pod.name} of ${set.name} has lost the labels that select it.`;
    return failed('app-convergence.pod-labels', detail);
  }
  if (pod.ephemeralContainers > 0) {
    return failed('app-convergence.ephemeral-container', `Pod ${pod.name} has an ephemeral container.`);
  }
  const difference = specDifference(pod, set.template);
  if (difference !== undefined) return failed('app-convergence.pod-images', `Pod ${pod.name} has ${difference}.`);
  // Its own ReplicaSet's, which for the current one is the planned template.
  const drift = podDifference(pod.whole, set.template.whole, noAdditions);
  return drift === undefined
    ? undefined
    : failed('app-convergence.pod-spec', `Pod ${pod.name} is not what ${set.name} says at ${drift}.`);
}

function oldPodPending(pod: PodFacts): Unready {
  const old = `old pod ${pod.name} is still there`;
  if (!pod.terminating) return waiting('app-convergence.old-pod', old);
  const by = finalizerText(pod);
  return waiting(`app-convergence.${by === '' ? 'old-pod' : 'finalizer'}`, `${old}, terminating${by}`);
}

function judgeCurrentPod(
  pod: PodFacts,
  contract: DeploymentContract,
  digests: AppExpectation['digests'],
): Verdict<PodIdentity> {
  const layer = 'app-convergence';
  if (pod.terminating) {
    return waiting(`${layer}.${pod.finalizers.length === 0 ? 'terminating' : 'finalizer'}`, podProgress(pod));
  }
  const fault = podFault(pod);
  if (fault) return failed(`${layer}.${fault.code}`, fault.detail);
  const identity = judgePodContract(pod, contract.pod, { layer, digests });
  if (identity.kind !== 'ready')
    return identity.kind === 'waiting' ? waiting(identity.code, podProgress(pod)) : identity;
  const unready = !pod.ready || pod.statuses.some((status) => !status.ready);
  return unready ? waiting(`${layer}.not-ready`, podProgress(pod)) : identity;
}

/** All that is waited for in one line, under the code of the first. */
function joined(pending: readonly Unready[]): Unready | undefined {
  const [first] = pending;
  const detail = pending.map((one) => one.detail).join('; ');
  return first && waiting(first.code, detail.slice(0, detailCharacters));
}
