import { digestsOf } from '../flows/digests.js';
import { imageLabels } from '../flows/images.js';
import { rayPodsSha256 } from '../flows/ray.js';
import { fingerprintOf } from '../model/planParts.js';
import { normaliseImage } from '../rules/imageReference.js';
import { type Agreement, disagreement } from './agreement.js';
import type { EvidenceDocument } from './evidence.js';
import type { Finding } from './finding.js';
import { identityAgreements } from './identityAgreements.js';
import { containersOf, imageAgreements } from './imageAgreements.js';
import { proofAgreements } from './proofAgreements.js';

/** On what the run is of, and on who ran it. */
const agreements: readonly Agreement[] = [
  ({ runId, observations }) =>
    Object.values(observations).flatMap((seen) =>
      seen.runId === runId
        ? []
        : disagreement('run', `the observation of ${seen.layer} is of run ${seen.runId}, not ${runId}`),
    ),
  ({ fingerprint, parts, plan }) => {
    if (fingerprintOf(parts) !== fingerprint)
      return disagreement('fingerprint', `${fingerprint} is not the digest of the parts`);
    const { sourceTree, releaseTag } = parts;
    return sourceTree === plan.source.tree && releaseTag === plan.release.tag
      ? []
      : disagreement(
          'fingerprint',
          `the fingerprint is of tree ${sourceTree} and release ${releaseTag}, the plan of ${plan.source.tree} and ${plan.release.tag}`,
        );
  },
  ({ observations }) => {
    const { facts } = observations.ray;
    const recomputed = rayPodsSha256(facts);
    return recomputed === facts.podsSha256
      ? []
      : disagreement('ray-pods', `the Ray pods have the digest ${recomputed}, not ${facts.podsSha256}`);
  },
  ({ observations }) => {
    const { rayClusterUid } = observations.workloads.facts;
    const { clusterUid } = observations.ray.facts;
    return rayClusterUid === clusterUid
      ? []
      : disagreement('ray-cluster', `workloads saw RayCluster ${rayClusterUid}, ray saw ${clusterUid}`);
  },
  ({ observations, identity }) => {
    const { app, legacy } = observations.images.facts;
    const digests = { ...digestsOf(app), ...digestsOf(legacy) };
    return containersOf(identity).flatMap(({ pod, container }) => {
      const allowed = digests[normaliseImage(container.image) ?? container.image];
      return allowed === undefined || allowed.includes(container.imageDigest)
        ? []
        : disagreement(
            'image-digest',
            `container ${container.name} of pod ${pod} runs ${container.imageDigest} as ${container.image}, which is ${allowed.join(' or ')}`,
          );
    });
  },
  ({ plan, observations }) => {
    const { images, setup } = observations;
    const trees: readonly (readonly [string, string | undefined])[] = [
      ['the setup Job', setup.facts.result.sourceTree],
      [images.facts.app.reference, images.facts.app.labels[imageLabels.tree]],
      [images.facts.legacy.reference, images.facts.legacy.labels[imageLabels.tree]],
    ];
    return trees.flatMap(([what, tree]) =>
      tree === plan.source.tree
        ? []
        : disagreement('tree', `${what} was made of tree ${tree ?? '(none)'}, but the source is ${plan.source.tree}`),
    );
  },
];

/** Where observations contradict each other; empty when they speak of the same things. */
export function contradictions(document: EvidenceDocument): readonly Finding[] {
  return [...agreements, ...identityAgreements, ...imageAgreements, ...proofAgreements].flatMap((agree) =>
    agree(document),
  );
}
