import type { ContainerIdentity, PodIdentity } from '../model/identities.js';
import type { ImageObservation } from '../model/observation.js';
import { type EvidenceDocument, sourcesOf } from './evidence.js';
import { evidenceValues } from './evidenceLines.js';
import { evidenceRows } from './evidenceRows.js';
import { type Markup, type MarkupValue, markup } from './markup.js';
import { code, section, table } from './pageTable.js';
import { proofs } from './proofSections.js';

/** What a proven run saw: its images, who ran, what was there before and after, and every key with what it rests on. */
export function evidenceSections(document: EvidenceDocument): readonly Markup[] {
  return [images(document), identities(document), proofs(document), preserved(document), keys(document)];
}

function images({ observations }: EvidenceDocument): Markup {
  const { app, legacy } = observations.images.facts;
  const { archive } = observations.setup.facts.result;
  const how = (image: ImageObservation) => (image.built ? 'built in this run' : 'found, its labels checked');
  return section('images', 'Images and archive', [
    table({
      caption: 'What was made of the source, and the digests that it is known by.',
      columns: ['Image', 'How', 'Index', 'Manifest', 'Configuration'],
      rows: [app, legacy].map((image) => [
        code(image.reference),
        how(image),
        code(image.index ?? 'none'),
        code(image.manifest ?? 'none'),
        code(image.config),
      ]),
    }),
    table({
      caption: 'The RuntimeEnv archive, as setup made it.',
      columns: ['Archive', 'Bytes', 'Members', 'SHA-256'],
      numbers: ['Bytes', 'Members'],
      rows: [[code(archive.uri), archive.bytes, archive.members, code(archive.sha256)]],
    }),
  ]);
}

function identities({ identity, observations }: EvidenceDocument): Markup {
  const { images, sharedStore, runtimes } = observations['image-identity'].facts;
  const pods: readonly (readonly [string, PodIdentity])[] = [
    ...identity.ray.pods.map((pod) => [`Ray ${pod.role}`, pod] as const),
    ...[...identity.deployments, ...identity.supporting].flatMap(({ name, pods }) =>
      pods.map((pod) => [name, pod] as const),
    ),
    ['setup', identity.setup.pod],
  ];
  const store = sharedStore ? 'Docker store that the nodes run out of' : "local Docker store, which is not the nodes'";
  const note = `RayCluster ${identity.ray.clusterUid}, setup Job ${identity.setup.jobUid}; the nodes run ${runtimes.join(', ')}.`;
  return section('identities', 'Who ran', [
    table({
      caption: 'Every pod that was proven, when the evidence was written.',
      columns: ['Of', 'Pod', 'UID', 'Restarts', 'Containers'],
      numbers: ['Restarts'],
      rows: pods.map(([owner, pod]) => [
        owner,
        code(pod.name),
        code(pod.uid),
        pod.restarts,
        containers([...pod.initContainers, ...pod.containers]),
      ]),
    }),
    table({
      caption: `The images that they ran, by the digest that the runtime reports, and what that is to the image in the ${store}.`,
      columns: ['Image', 'Of', 'Digest', 'Which is its', 'Containers'],
      numbers: ['Containers'],
      rows: images.map(({ reference, origin, runs, containers: where }) => [
        code(reference),
        origin,
        lines(runs.map(({ digest }) => code(digest))),
        lines(runs.map(({ is }) => is)),
        where.length,
      ]),
    }),
    markup`<p class="quiet">${note}</p>\n`,
  ]);
}

/** Short digests: the table below has them whole. */
function containers(all: readonly ContainerIdentity[]): MarkupValue {
  return lines(all.map((one) => markup`${one.name} ${code(one.imageDigest.slice(0, 'sha256:'.length + 12))}`));
}

function lines(all: readonly MarkupValue[]): MarkupValue {
  return all.map((one, at) => markup`${at > 0 ? markup`<br>` : undefined}${one}`);
}

function preserved(document: EvidenceDocument): Markup {
  const values = [...evidenceValues(sourcesOf(document))].filter(([key]) => key.startsWith('preserved_'));
  const rows = values.map(([key, value]) => [key.slice('preserved_'.length).replaceAll('_', ' '), value]);
  return section('preserved', 'What was there before', [
    table({ caption: 'Whether it is still there, the same.', columns: ['What', 'Preserved'], rows }),
  ]);
}

function keys(document: EvidenceDocument): Markup {
  const sources = sourcesOf(document);
  const values = evidenceValues(sources);
  const rows = evidenceRows.map(({ key, restsOn }) => [
    code(key),
    code(values.get(key) ?? ''),
    restsOn.join(', ') || 'nothing yet',
  ]);
  return section('keys', 'The evidence, key by key', [
    table({
      caption: 'Each value and the observations that it follows from.',
      columns: ['Key', 'Value', 'Rests on'],
      rows,
    }),
  ]);
}
