import type { Unready } from '../../core/verdict.js';
import { failed } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import type { DeploymentFacts, ReplicaSetFacts } from '../model/rolloutFacts.js';
import { specDifference } from './podContract.js';
import { deploymentAdditions, replicaSetAdditions, templateDifference } from './templateDifference.js';

/** Whether the labels hold every pair of the selector. */
export function satisfies(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** What no time mends about a live Deployment: it is not the planned one. */
export function deploymentFault(live: DeploymentFacts, contract: DeploymentContract): Unready | undefined {
  const fault = (code: string, detail: string) =>
    failed(`app-convergence.${code}`, `Deployment ${live.name} ${detail}.`);
  if (live.terminating) return fault('deployment-terminating', 'is being deleted');
  if (live.uid.length < 1 || live.uid.length > 128 || live.generation < 1)
    return fault('deployment-identity', 'has no usable UID');
  if (live.hasSelectorExpressions || !sameLabels(live.selector, contract.selector)) {
    return fault('selector', `selects ${text(live.selector)} instead of ${text(contract.selector)}`);
  }
  if (!satisfies(live.template.labels, live.selector))
    return fault('template-labels', 'has a template that its selector misses');
  if (live.replicas !== contract.replicas)
    return fault('replicas', `wants ${live.replicas} replicas instead of ${contract.replicas}`);
  const difference = specDifference(live.template, contract.pod);
  if (difference !== undefined) return fault('template-images', `has ${difference}`);
  const drift = templateDifference(live.template.whole, contract.template, deploymentAdditions);
  return drift === undefined ? undefined : fault('template-spec', `is not the planned one at ${drift}`);
}

/** What the Deployment's own counts still lack. */
export function deploymentPending(live: DeploymentFacts, contract: DeploymentContract): readonly string[] {
  const wanted = contract.replicas;
  if (live.observedGeneration !== live.generation)
    return [`${live.name}: generation ${live.generation} not observed yet`];
  const counts: readonly [string, number, number][] = [
    ['pods', live.statusReplicas, wanted],
    ['updated', live.updatedReplicas, wanted],
    ['ready', live.readyReplicas, wanted],
    ['available', live.availableReplicas, wanted],
    ['unavailable', live.unavailableReplicas, 0],
  ];
  const off = counts.filter(([, is, should]) => is !== should).map(([what, is, should]) => `${what} ${is}/${should}`);
  if (off.length > 0) return [`${live.name}: ${off.join(', ')}`];
  return live.revision === 0 ? [`${live.name}: no revision yet`] : [];
}

export interface OwnedReplicaSets {
  readonly current: ReplicaSetFacts | undefined;
  readonly old: readonly ReplicaSetFacts[];
}

/** The ReplicaSets of one Deployment by revision, or why they cannot be told apart. */
export function splitReplicaSets(
  live: DeploymentFacts,
  contract: DeploymentContract,
  all: readonly ReplicaSetFacts[],
): { readonly sets: OwnedReplicaSets } | { readonly fault: Unready } {
  const fault = (code: string, detail: string) => ({ fault: failed(`app-convergence.${code}`, detail) });
  const claiming = all.filter((set) =>
    set.owners.some((owner) => owner.uid === live.uid || claimsName(owner, live.name)),
  );
  for (const set of claiming) {
    const controllers = set.owners.filter((owner) => owner.controller === true);
    const [owner] = controllers;
    if (
      controllers.length !== 1 ||
      owner?.uid !== live.uid ||
      owner.name !== live.name ||
      owner.kind !== 'Deployment'
    ) {
      return fault(
        'replica-set-owner',
        `ReplicaSet ${set.name} claims Deployment ${live.name} (${live.uid}) but is not controlled by it.`,
      );
    }
    if (!satisfies(set.template.labels, set.selector)) {
      return fault('replica-set-selector', `ReplicaSet ${set.name} has a template that its selector misses.`);
    }
  }
  const current = claiming.filter((set) => set.revision === live.revision && live.revision > 0);
  if (current.length > 1) {
    return fault(
      'replica-set-revision',
      `ReplicaSets ${current.map((set) => set.name).join(', ')} share revision ${live.revision}.`,
    );
  }
  const [one] = current;
  if (one) {
    if (!satisfies(one.template.labels, live.selector)) {
      return fault(
        'replica-set-template',
        `ReplicaSet ${one.name} has pods that Deployment ${live.name} does not select.`,
      );
    }
    const difference = specDifference(one.template, contract.pod);
    if (difference !== undefined) return fault('replica-set-template', `ReplicaSet ${one.name} has ${difference}.`);
    const drift = templateDifference(one.template.whole, contract.template, replicaSetAdditions);
    if (drift !== undefined)
      return fault('replica-set-template', `ReplicaSet ${one.name} is not the planned one at ${drift}.`);
  }
  return { sets: { current: one, old: claiming.filter((set) => set !== one) } };
}

/** What the ReplicaSets of one Deployment still lack. */
export function replicaSetPending(live: DeploymentFacts, sets: OwnedReplicaSets, wanted: number): readonly string[] {
  const pending: string[] = [];
  const { current, old } = sets;
  if (current === undefined) pending.push(`${live.name}: no ReplicaSet of revision ${live.revision} yet`);
  else if (current.terminating) pending.push(`${current.name} is being deleted`);
  else {
    const counts = [current.replicas, current.statusReplicas, current.readyReplicas, current.availableReplicas];
    if (counts.some((count) => count !== wanted)) {
      pending.push(`${current.name}: ${counts.join('/')} wanted, made, ready, available of ${wanted}`);
    }
    if (current.replicaFailure !== undefined)
      pending.push(`${current.name} cannot make pods (${current.replicaFailure})`);
  }
  for (const set of old) {
    const counts = [set.replicas, set.statusReplicas, set.readyReplicas, set.availableReplicas];
    if (set.terminating || counts.some((count) => count !== 0))
      pending.push(`old ${set.name} still has pods (${set.statusReplicas})`);
  }
  return pending;
}

/** A ReplicaSet that names the Deployment although its UID is another's is a look-alike, so the name counts as well. */
function claimsName(owner: { readonly kind: string; readonly name: string }, deployment: string): boolean {
  return owner.kind === 'Deployment' && owner.name === deployment;
}

function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys(a).length === Object.keys(b).length && satisfies(a, b);
}

function text(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}
