import type { OwnerReference } from '../../cluster/objects.js';
import { failed, type Unready } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import { type ContainerFacts, controllerOf, type PodFacts } from '../model/podFacts.js';
import type { ReplicaSetFacts } from '../model/rolloutFacts.js';
import { type OwnedReplicaSets, satisfies } from './deploymentConverged.js';
import { digestOfImageId, normaliseImage, repositoryOf } from './imageReference.js';

/** A planned Deployment and the ReplicaSets that are its own. */
export interface Guarded {
  readonly contract: DeploymentContract;
  readonly sets: OwnedReplicaSets;
}

export type ImageDigests = Readonly<Record<string, readonly string[]>>;

export function setsOf({ current, old }: OwnedReplicaSets): readonly ReplicaSetFacts[] {
  return current ? [current, ...old] : old;
}

/**
 * A pod or a ReplicaSet that does, or would do, the work of a planned Deployment without being its own: by its labels, by what it
 * claims, or, whatever its labels say, by the application's image. Finished pods are left aside: they take neither traffic nor work.
 *
 * @param digests of the application's images, by normalised reference
 */
export function findStray(
  pods: readonly PodFacts[],
  replicaSets: readonly ReplicaSetFacts[],
  guarded: readonly Guarded[],
  digests: ImageDigests,
): Unready | undefined {
  const owned = new Map(guarded.flatMap(({ sets }) => setsOf(sets).map((set) => [set.uid, set] as const)));
  const fault = (code: string, detail: string) => failed(`app-convergence.${code}`, detail);
  for (const pod of pods) {
    const claims = pod.owners.filter((owner) => owned.has(owner.uid));
    if (claims.length > 1) return fault('stray-pod', `Pod ${pod.name} claims ${claims.length} ReplicaSets.`);
    const [claim] = claims;
    if (claim !== undefined) {
      const set = owned.get(claim.uid);
      const controller = controllerOf(pod.owners);
      if (controller?.uid === claim.uid && controller.kind === 'ReplicaSet' && controller.name === set?.name) continue;
      return fault('stray-pod', `Pod ${pod.name} claims ReplicaSet ${set?.name} but is not controlled by it.`);
    }
    if (pod.phase === 'Failed' || pod.phase === 'Succeeded') continue;
    const selecting = guarded.find(({ contract }) => satisfies(pod.labels, contract.selector));
    if (selecting !== undefined) {
      const detail = `Pod ${pod.name} carries the labels of Deployment ${selecting.contract.name} but is controlled by ${controllerText(pod.owners)}.`;
      return fault('stray-pod', detail);
    }
    const container = applicationContainer(pod, digests);
    if (container !== undefined) {
      const detail = `Pod ${pod.name}, controlled by ${controllerText(pod.owners)}, runs the application (container ${container}) under labels of its own.`;
      return fault('hidden-pod', detail);
    }
  }
  for (const set of replicaSets.filter((one) => !owned.has(one.uid) && (one.replicas > 0 || one.statusReplicas > 0))) {
    const selecting = guarded.find(({ contract }) => satisfies(set.template.labels, contract.selector));
    const hidden = applicationImage([...set.template.initContainers, ...set.template.containers], digests);
    if (selecting === undefined && hidden === undefined) continue;
    const what = selecting ? `makes pods of Deployment ${selecting.contract.name}` : 'makes pods of the application';
    return fault(
      'stray-replica-set',
      `ReplicaSet ${set.name} ${what} but is controlled by ${controllerText(set.owners)}.`,
    );
  }
  return undefined;
}

/** The container that runs an image of the application's repository, or its content under any name. */
function applicationContainer(pod: PodFacts, digests: ImageDigests): string | undefined {
  const contents = new Set(Object.values(digests).flat());
  const status = [...pod.initStatuses, ...pod.statuses].find((one) => {
    const digest = digestOfImageId(one.imageId);
    return digest !== undefined && contents.has(digest);
  });
  return status?.name ?? applicationImage([...pod.initContainers, ...pod.containers], digests);
}

function applicationImage(containers: readonly ContainerFacts[], digests: ImageDigests): string | undefined {
  const repositories = new Set(Object.keys(digests).map(repositoryOf));
  const runs = ({ image }: ContainerFacts) =>
    normaliseImage(image) !== undefined && repositories.has(repositoryOf(image));
  return containers.find(runs)?.name;
}

function controllerText(owners: readonly OwnerReference[]): string {
  const controller = controllerOf(owners);
  return controller === undefined ? 'nobody' : `${controller.kind} ${controller.name}`;
}
