import { digestsOf } from '../flows/digests.js';
import { imageLabels } from '../flows/images.js';
import { rayPodsSha256 } from '../flows/ray.js';
import type { ContainerIdentity, PodIdentity } from '../model/identities.js';
import { fingerprintOf } from '../model/planParts.js';
import { normaliseImage } from '../rules/imageReference.js';
import { identityDifference } from '../rules/stillProven.js';
import type { EvidenceDocument } from './evidence.js';
import type { Finding } from './finding.js';

/** What observations of one run, made at different moments of the same things, must agree on; each returns what does not. */
const agreements: readonly ((document: EvidenceDocument) => readonly Finding[])[] = [
  ({ runId, observations }) =>
    Object.values(observations).flatMap((seen) =>
      seen.runId === runId
        ? []
        : finding('run', `the observation of ${seen.layer} is of run ${seen.runId}, not ${runId}`),
    ),
  ({ fingerprint, parts, plan }) => {
    if (fingerprintOf(parts) !== fingerprint)
      return finding('fingerprint', `${fingerprint} is not the digest of the parts`);
    const { sourceTree, releaseTag } = parts;
    return sourceTree === plan.source.tree && releaseTag === plan.release.tag
      ? []
      : finding(
          'fingerprint',
          `the fingerprint is of tree ${sourceTree} and release ${releaseTag}, the plan of ${plan.source.tree} and ${plan.release.tag}`,
        );
  },
  ({ observations, identity }) => {
    const difference = identityDifference(
      {
        ray: observations.ray.facts,
        deployments: observations['app-convergence'].facts.deployments,
        setupJobUid: observations.setup.facts.jobUid,
      },
      identity,
    );
    return difference === undefined ? [] : finding('identity', `the layers and the final look differ: ${difference}`);
  },
  ({ observations }) => {
    const { facts } = observations.ray;
    const recomputed = rayPodsSha256(facts);
    return recomputed === facts.podsSha256
      ? []
      : finding('ray-pods', `the Ray pods have the digest ${recomputed}, not ${facts.podsSha256}`);
  },
  ({ observations }) => {
    const { rayClusterUid } = observations.workloads.facts;
    const { clusterUid } = observations.ray.facts;
    return rayClusterUid === clusterUid
      ? []
      : finding('ray-cluster', `workloads saw RayCluster ${rayClusterUid}, ray saw ${clusterUid}`);
  },
  ({ observations, identity }) => {
    const { app, legacy } = observations.images.facts;
    const digests = { ...digestsOf(app), ...digestsOf(legacy) };
    return everyContainer(identity, observations.setup.facts.pod).flatMap(({ pod, container }) => {
      const allowed = digests[normaliseImage(container.image) ?? container.image];
      return allowed === undefined || allowed.includes(container.imageDigest)
        ? []
        : finding(
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
        : finding('tree', `${what} was made of tree ${tree ?? '(none)'}, but the source is ${plan.source.tree}`),
    );
  },
  ({ plan, observations }) => {
    const planned = plan.release.archiveUri;
    const made = observations.setup.facts.result.archive.uri;
    const used = observations['api-smoke'].facts.task.workingDir;
    return [made, used].flatMap((uri) =>
      uri === planned ? [] : finding('archive', `the archive ${uri} was used, but the plan's is ${planned}`),
    );
  },
];

/** Where observations contradict each other; empty when they speak of the same things. */
export function contradictions(document: EvidenceDocument): readonly Finding[] {
  return agreements.flatMap((agree) => agree(document));
}

function everyContainer(
  { ray, deployments }: EvidenceDocument['identity'],
  setupPod: PodIdentity,
): readonly { readonly pod: string; readonly container: ContainerIdentity }[] {
  const pods = [...ray.pods, ...deployments.flatMap((deployment) => deployment.pods), setupPod];
  return pods.flatMap((pod) =>
    [...pod.initContainers, ...pod.containers].map((container) => ({ pod: pod.name, container })),
  );
}

function finding(code: string, detail: string): readonly Finding[] {
  return [{ code: `evidence.${code}`, detail }];
}
