import { imageLabels } from '../flows/images.js';
import { type ContainerIdentity, type ProvenIdentity, podsOf } from '../model/identities.js';
import type { ResolvedImage } from '../model/observation.js';
import { normaliseImage } from '../rules/imageReference.js';
import { type Agreement, disagreement } from './agreement.js';

/** On what the containers run: what was resolved, and who ran when the evidence was written. */
export const imageAgreements: readonly Agreement[] = [
  ({ observations, identity }) => {
    const { images } = observations['image-identity'].facts;
    const resolved = images.flatMap(({ reference, containers }) => containers.map((one) => `${one} ${reference}`));
    const running = containersOf(identity).map(
      ({ pod, container }) => `${pod}/${container.name} ${referenceOf(container)}`,
    );
    const [lost] = resolved.filter((one) => !running.includes(one));
    const [added] = running.filter((one) => !resolved.includes(one));
    return [
      ...(lost === undefined ? [] : disagreement('resolved-container', `${lost} was resolved, and is not there`)),
      ...(added === undefined ? [] : disagreement('resolved-container', `${added} is there, and was not resolved`)),
    ];
  },
  ({ observations, identity }) => {
    const { images } = observations['image-identity'].facts;
    const runs = new Map(images.map((image) => [image.reference, image.runs.map(({ digest }) => digest)]));
    return containersOf(identity).flatMap(({ pod, container }) => {
      const allowed = runs.get(referenceOf(container)) ?? [container.imageDigest];
      return allowed.includes(container.imageDigest)
        ? []
        : disagreement(
            'resolved-digest',
            `container ${container.name} of pod ${pod} runs ${container.imageDigest}, and ${container.reference} was resolved to ${allowed.join(' or ')}`,
          );
    });
  },
  ({ observations }) =>
    observations['image-identity'].facts.images.flatMap((image) => {
      const wrong = image.runs.find((run) => image.local !== undefined && !isNamed(image.local, run));
      return wrong === undefined
        ? []
        : disagreement('resolved-digest', `${wrong.digest} is not the ${wrong.is} of ${image.reference}`);
    }),
  ({ observations, plan }) => {
    const { app } = observations.images.facts;
    const { images, labels } = observations['image-identity'].facts;
    const release = images.filter(({ origin }) => origin === 'release');
    const [ours] = release;
    if (release.length !== 1 || ours?.reference !== (normaliseImage(app.reference) ?? app.reference))
      return disagreement('release-image', `${release.length} images are this release's, not ${app.reference} alone`);
    if (ours.local?.id !== app.id || ours.local.config !== app.config)
      return disagreement(
        'release-image',
        `${app.reference} was resolved to ${ours.local?.id ?? 'nothing'}, but built was ${app.id}`,
      );
    const tree = labels[imageLabels.tree];
    return tree === plan.source.tree
      ? []
      : disagreement('tree', `what runs was made of tree ${tree ?? '(none)'}, but the source is ${plan.source.tree}`);
  },
];

/** Each container of each pod that was proven, by its pod's name. */
export function containersOf(
  identity: ProvenIdentity,
): readonly { readonly pod: string; readonly container: ContainerIdentity }[] {
  return podsOf(identity).flatMap((pod) =>
    [...pod.initContainers, ...pod.containers].map((container) => ({ pod: pod.name, container })),
  );
}

function isNamed(local: NonNullable<ResolvedImage['local']>, { digest, is }: ResolvedImage['runs'][number]): boolean {
  if (is === 'repository-digest') return local.repoDigests.some((name) => name.endsWith(`@${digest}`));
  return is === 'not-in-local-store' || local[is] === digest;
}

function referenceOf({ reference }: ContainerIdentity): string {
  return normaliseImage(reference) ?? reference;
}
