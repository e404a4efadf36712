import { failed, ready, type Unready, type Verdict, waiting } from '../../core/verdict.js';
import type { ImageSlot, PodContract } from '../model/contracts.js';
import type { ContainerIdentity, PodIdentity } from '../model/identities.js';
import { type ContainerFacts, type ContainerStatusFacts, ownerText, type PodFacts } from '../model/podFacts.js';
import { digestOfImageId, normaliseImage } from './imageReference.js';

export interface PodContractOptions {
  /** Prefix of codes: `ray`, `app-convergence`, `setup`. */
  readonly layer: string;
  /**
   * Digests (index, manifest or config) that a container on the image reference must run, by normalised reference.
   * `judged-later`: whatever a container runs is taken down, for {@link judgeImageIdentity} to judge.
   */
  readonly digests?: Readonly<Record<string, readonly string[]>> | 'judged-later';
}

/** The difference between containers of a spec and a contract in words; undefined when names, images and order are equal. */
export function slotDifference(spec: readonly ImageSlot[], contract: readonly ImageSlot[]): string | undefined {
  const text = (slots: readonly ImageSlot[]) => `[${slots.map((slot) => `${slot.name}=${slot.image}`).join(', ')}]`;
  const [is, should] = [text(spec), text(contract)];
  return is === should ? undefined : `${is} instead of ${should}`;
}

export function specDifference(
  spec: { readonly initContainers: readonly ContainerFacts[]; readonly containers: readonly ContainerFacts[] },
  contract: PodContract,
): string | undefined {
  const init = slotDifference(spec.initContainers, contract.initContainers);
  if (init !== undefined) return `init containers ${init}`;
  const regular = slotDifference(spec.containers, contract.containers);
  return regular === undefined ? undefined : `containers ${regular}`;
}

/**
 * Whether a pod runs exactly what its contract says: spec, no ephemeral containers, and for each container the image that the
 * runtime reports. Says nothing of readiness.
 */
export function judgePodContract(
  pod: PodFacts,
  contract: PodContract,
  options: PodContractOptions,
): Verdict<PodIdentity> {
  const { layer } = options;
  if (pod.ephemeralContainers > 0)
    return failed(`${layer}.ephemeral-container`, `pod ${pod.name} has an ephemeral container`);
  const difference = specDifference(pod, contract);
  if (difference !== undefined) return failed(`${layer}.pod-images`, `pod ${pod.name} has ${difference}`);
  const init = judgeStatuses(pod, pod.initStatuses, contract.initContainers, options);
  if (init.kind !== 'ready') return init;
  const regular = judgeStatuses(pod, pod.statuses, contract.containers, options);
  if (regular.kind !== 'ready') return regular;
  const restarts = [...pod.initStatuses, ...pod.statuses].reduce((sum, status) => sum + status.restartCount, 0);
  const { name, uid } = pod;
  return ready({
    name,
    uid,
    owner: ownerText(pod.owners),
    initContainers: init.facts,
    containers: regular.facts,
    restarts,
  });
}

function judgeStatuses(
  pod: PodFacts,
  statuses: readonly ContainerStatusFacts[],
  contract: readonly ImageSlot[],
  options: PodContractOptions,
): Verdict<readonly ContainerIdentity[]> {
  const names = statuses.map((status) => status.name);
  const stranger = names.find((name, i) => names.indexOf(name) !== i || !contract.some((slot) => slot.name === name));
  if (stranger !== undefined) {
    return failed(`${options.layer}.container-status`, `pod ${pod.name} reports an unexpected container ${stranger}`);
  }
  const identities: ContainerIdentity[] = [];
  for (const slot of contract) {
    const status = statuses.find((candidate) => candidate.name === slot.name);
    const identity = judgeStatus(pod, slot, status, options);
    if (identity.kind !== 'ready') return identity;
    identities.push(identity.facts);
  }
  return ready(identities);
}

function judgeStatus(
  pod: PodFacts,
  slot: ImageSlot,
  status: ContainerStatusFacts | undefined,
  { layer, digests }: PodContractOptions,
): Verdict<ContainerIdentity> {
  const where = `container ${slot.name} of pod ${pod.name}`;
  if (status === undefined || status.image === '' || status.imageId === '') return notYet(layer, where);
  const image = normaliseImage(status.image);
  const expected = normaliseImage(slot.image);
  const imageDigest = digestOfImageId(status.imageId);
  if (imageDigest === undefined) return failed(`${layer}.image-id`, `${where} has the image ID "${status.imageId}"`);
  const running = { name: slot.name, reference: slot.image, image: image ?? status.image, imageDigest };
  if (digests === 'judged-later') return ready(running);
  const allowed = expected === undefined ? undefined : digests?.[expected];
  if (allowed !== undefined && !allowed.includes(imageDigest)) {
    return failed(
      `${layer}.image-substituted`,
      `${where} runs ${imageDigest}, but ${slot.image} is ${allowed.join(' or ')}`,
    );
  }
  // A content that has several tags, or none any more, is reported under any of them, or under its digest alone.
  const sameContent =
    allowed !== undefined || /^sha256:[0-9a-f]{64}$/.test(status.image) || image?.includes('@sha256:');
  if (image !== expected && !sameContent) {
    return failed(`${layer}.image-name`, `${where} runs ${status.image} instead of ${slot.image}`);
  }
  return ready(running);
}

function notYet(layer: string, where: string): Unready {
  return waiting(`${layer}.container-status`, `${where} has no image status yet`);
}
