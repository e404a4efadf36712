import { failed, ready, type Verdict } from '../../core/verdict.js';
import type { LocalImage } from '../../host/docker.js';
import type { PodIdentity } from '../model/identities.js';
import type { ImageIdentityFacts, ResolvedImage } from '../model/observation.js';
import { digestOfImageId, normaliseImage } from './imageReference.js';

export interface ImageIdentityExpectation {
  /** The image of this release, as the images layer built or found it. */
  readonly release: LocalImage;
  /** What the release's own configuration must say of itself. */
  readonly labels: Readonly<Record<string, string>>;
  /** What the local Docker store has now, by normalised reference; a reference that it lacks is not in it. */
  readonly local: Readonly<Record<string, LocalImage>>;
  /** Whether the nodes run out of that very store; else a third party's tag may be another pull there. */
  readonly sharedStore: boolean;
}

interface Running {
  readonly pod: string;
  readonly container: string;
  readonly digest: string;
  readonly image: string;
}

/**
 * Whether each container runs the content that its reference names, whatever tags say now. The release's content is the one that
 * was built: its Id, its digests, and the labels in its own configuration. A third party's is the local store's; where the nodes
 * have a store of their own it is taken down as it runs, one content a name.
 */
export function judgeImageIdentity(
  pods: readonly PodIdentity[],
  expected: ImageIdentityExpectation,
): Verdict<ImageIdentityFacts> {
  const images: ResolvedImage[] = [];
  let isReleaseRunning = false;
  for (const [reference, running] of byReference(pods)) {
    const isRelease = reference === (normaliseImage(expected.release.reference) ?? expected.release.reference);
    isReleaseRunning ||= isRelease;
    const verdict = isRelease
      ? judgeRelease(reference, running, expected)
      : judgeThirdParty(reference, running, expected);
    if (verdict.kind !== 'ready') return verdict;
    images.push(verdict.facts);
  }
  if (!isReleaseRunning) {
    return failed('image-identity.release-absent', `No container runs ${expected.release.reference}.`);
  }
  images.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  return ready({ images, sharedStore: expected.sharedStore, labels: expected.labels });
}

function judgeRelease(
  reference: string,
  running: readonly Running[],
  { release, labels, local }: ImageIdentityExpectation,
): Verdict<ResolvedImage> {
  const now = local[reference];
  if (now === undefined) {
    return failed('image-identity.gone', `Docker has no image under ${release.reference} any more: run again.`);
  }
  if (now.id !== release.id) {
    const detail = `The tag ${release.reference} is on ${now.id} now, and was on ${release.id} when it was built.`;
    return failed('image-identity.tag-moved', detail);
  }
  const substitute = running.find((one) => nameOf(release, one.digest) === undefined);
  if (substitute !== undefined) return substituted(release.reference, substitute, release);
  const wrong = Object.entries(labels).find(([key, value]) => release.configLabels[key] !== value);
  if (wrong !== undefined) {
    const [key, value] = wrong;
    const detail = `The configuration ${release.config} that runs has the label ${key}="${release.configLabels[key] ?? ''}", not "${value}".`;
    return failed('image-identity.labels', detail);
  }
  return ready(resolved(reference, 'release', running, release));
}

function judgeThirdParty(
  reference: string,
  running: readonly Running[],
  { local, sharedStore }: ImageIdentityExpectation,
): Verdict<ResolvedImage> {
  const image = local[reference];
  const strangers = running.filter((one) => image === undefined || nameOf(image, one.digest) === undefined);
  const [first] = strangers;
  if (first === undefined) return ready(resolved(reference, 'third-party', running, image));
  if (image !== undefined && sharedStore) return substituted(reference, first, image);
  const misnamed = strangers.find((one) => one.image !== reference && !isDigestOnly(one.image));
  if (misnamed !== undefined) {
    const detail = `${whereOf(misnamed)} runs ${misnamed.image} (${misnamed.digest}) instead of ${reference}.`;
    return failed('image-identity.substituted', detail);
  }
  const other = strangers.find((one) => one.digest !== first.digest);
  if (other !== undefined) {
    const detail = `Two contents run as ${reference}: ${first.digest} in ${whereOf(first)}, ${other.digest} in ${whereOf(other)}.`;
    return failed('image-identity.two-contents', detail);
  }
  return ready(resolved(reference, 'third-party', running, image));
}

function substituted(reference: string, { digest, ...where }: Running, image: LocalImage): Verdict<never> {
  const names = [...namesOf(image).keys()].join(' or ');
  const detail = `${whereOf({ digest, ...where })} runs ${digest}, but ${reference} is ${names}.`;
  return failed('image-identity.substituted', detail);
}

function resolved(
  reference: string,
  origin: ResolvedImage['origin'],
  running: readonly Running[],
  image: LocalImage | undefined,
): ResolvedImage {
  const digests = [...new Set(running.map((one) => one.digest))].sort();
  return {
    reference,
    origin,
    local: image && {
      id: image.id,
      index: image.index,
      manifest: image.manifest,
      config: image.config,
      repoDigests: image.repoDigests,
    },
    runs: digests.map((digest) => ({ digest, is: (image && nameOf(image, digest)) ?? 'not-in-local-store' })),
    containers: running.map(whereText).sort(),
  };
}

/** What each digest of an image is to it. */
function namesOf(image: LocalImage): ReadonlyMap<string, ResolvedImage['runs'][number]['is']> {
  const names = new Map<string, ResolvedImage['runs'][number]['is']>();
  for (const digest of image.repoDigests.map(digestOfImageId)) {
    if (digest !== undefined) names.set(digest, 'repository-digest');
  }
  names.set(image.id, 'id');
  if (image.index !== undefined) names.set(image.index, 'index');
  if (image.manifest !== undefined) names.set(image.manifest, 'manifest');
  names.set(image.config, 'config');
  return names;
}

function nameOf(image: LocalImage, digest: string) {
  return namesOf(image).get(digest);
}

function byReference(pods: readonly PodIdentity[]): ReadonlyMap<string, readonly Running[]> {
  const groups = new Map<string, Running[]>();
  for (const pod of pods) {
    for (const { name, reference, image, imageDigest } of [...pod.initContainers, ...pod.containers]) {
      const key = normaliseImage(reference) ?? reference;
      const running = { pod: pod.name, container: name, digest: imageDigest, image };
      groups.set(key, [...(groups.get(key) ?? []), running]);
    }
  }
  return groups;
}

function isDigestOnly(image: string): boolean {
  return image.includes('@sha256:') || /(^|\/)sha256:[0-9a-f]{64}$/.test(image);
}

function whereText(one: Running): string {
  return `${one.pod}/${one.container}`;
}

function whereOf(one: Running): string {
  return `Container ${one.container} of pod ${one.pod}`;
}
