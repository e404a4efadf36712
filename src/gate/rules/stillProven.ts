import type { ConvergedDeployment, PodIdentity, RayConverged } from '../model/identities.js';

/** Who was proven: compared with what lives, before the evidence is written and at each later look. */
export interface ProvenIdentity {
  readonly ray: RayConverged;
  readonly deployments: readonly ConvergedDeployment[];
  /** What the application stands on. */
  readonly supporting: readonly ConvergedDeployment[];
  readonly setup: { readonly jobUid: string; readonly pod: PodIdentity };
}

/** Every pod of it. */
export function podsOf({ ray, deployments, supporting, setup }: ProvenIdentity): readonly PodIdentity[] {
  return [...ray.pods, ...[...deployments, ...supporting].flatMap((one) => one.pods), setup.pod];
}

/** The first difference between what was proven and what lives now, in words; undefined when it is the same. */
export function identityDifference(proven: ProvenIdentity, live: ProvenIdentity): string | undefined {
  if (proven.ray.clusterUid !== live.ray.clusterUid) {
    return `RayCluster has UID ${live.ray.clusterUid} instead of ${proven.ray.clusterUid}`;
  }
  if (proven.setup.jobUid !== live.setup.jobUid) {
    return `the setup Job has UID ${live.setup.jobUid || '(none)'} instead of ${proven.setup.jobUid}`;
  }
  const pods = podsDifference(proven.ray.pods, live.ray.pods) ?? podsDifference([proven.setup.pod], [live.setup.pod]);
  if (pods !== undefined) return pods;
  return (
    deploymentsDifference(proven.deployments, live.deployments) ??
    deploymentsDifference(proven.supporting, live.supporting)
  );
}

function deploymentsDifference(
  proven: readonly ConvergedDeployment[],
  live: readonly ConvergedDeployment[],
): string | undefined {
  for (const deployment of proven) {
    const now = live.find((candidate) => candidate.name === deployment.name);
    if (now === undefined) return `Deployment ${deployment.name} is gone`;
    if (now.uid !== deployment.uid)
      return `Deployment ${deployment.name} has UID ${now.uid} instead of ${deployment.uid}`;
    if (now.replicaSet.uid !== deployment.replicaSet.uid) {
      return `Deployment ${deployment.name} runs ReplicaSet ${now.replicaSet.name} instead of ${deployment.replicaSet.name}`;
    }
    const pods = podsDifference(deployment.pods, now.pods);
    if (pods !== undefined) return pods;
  }
  return undefined;
}

function podsDifference(proven: readonly PodIdentity[], live: readonly PodIdentity[]): string | undefined {
  for (const pod of proven) {
    const now = live.find((candidate) => candidate.uid === pod.uid);
    if (now === undefined) return `pod ${pod.name} (${pod.uid}) is gone`;
    const [was, is] = [imagesOf(pod), imagesOf(now)];
    if (was !== is) return `pod ${pod.name} runs ${is} instead of ${was}`;
    if (now.restarts !== pod.restarts)
      return `a container of pod ${pod.name} restarted (${pod.restarts} -> ${now.restarts})`;
  }
  const stranger = live.find((pod) => !proven.some((candidate) => candidate.uid === pod.uid));
  return stranger && `pod ${stranger.name} (${stranger.uid}) is new`;
}

function imagesOf(pod: PodIdentity): string {
  return [...pod.initContainers, ...pod.containers].map((one) => `${one.name}=${one.imageDigest}`).join(',');
}
