import type { ConvergedDeployment, PodIdentity, ProvenIdentity } from '../model/identities.js';
import type { JobFacts } from '../model/jobFacts.js';
import { rayClusterName, setupJobName } from '../model/kinds.js';
import type { Pin } from '../model/pin.js';
import { ownerText, type PodFacts } from '../model/podFacts.js';
import type { RayClusterFacts } from '../model/rayClusterFacts.js';
import type { DeploymentFacts, ReplicaSetFacts } from '../model/rolloutFacts.js';
import { digestOfImageId } from './imageReference.js';

/** The facts of a namespace that pins are of. */
export interface PinnedReading {
  readonly pods: readonly PodFacts[];
  readonly deployments: readonly DeploymentFacts[];
  readonly replicaSets: readonly ReplicaSetFacts[];
  readonly job: JobFacts | undefined;
  readonly cluster: RayClusterFacts | undefined;
}

const deleted = (terminating: boolean) => ({ 'being deleted': terminating ? 'yes' : 'no' });

export function jobPin(uid: string): Pin {
  return { subject: `Job ${setupJobName}`, fields: { uid } };
}

/** What a layer that proved this pod went by. */
export function podPin(pod: PodIdentity): Pin {
  const images = [...pod.initContainers, ...pod.containers].map(
    (one) => [`image of ${one.name}`, one.imageDigest] as const,
  );
  const { uid, owner, restarts } = pod;
  return {
    subject: `pod ${pod.name}`,
    fields: { uid, owner, restarts: String(restarts), ...deleted(false), ...Object.fromEntries(images) },
  };
}

export function deploymentPins({ name, uid, generation, replicaSet, pods }: ConvergedDeployment): readonly Pin[] {
  return [
    { subject: `Deployment ${name}`, fields: { uid, generation: String(generation), ...deleted(false) } },
    { subject: `ReplicaSet ${replicaSet.name}`, fields: { uid: replicaSet.uid } },
    ...pods.map(podPin),
  ];
}

export function identityPins({ ray, deployments, supporting, setup }: ProvenIdentity): readonly Pin[] {
  return [
    { subject: `RayCluster ${rayClusterName}`, fields: { uid: ray.clusterUid } },
    jobPin(setup.jobUid),
    ...[...deployments, ...supporting].flatMap(deploymentPins),
    ...[...ray.pods, setup.pod].map(podPin),
  ];
}

/** The same subjects as they stand, whether or not anything of them is as planned. */
export function livePins({ pods, deployments, replicaSets, job, cluster }: PinnedReading): readonly Pin[] {
  return [
    ...(cluster === undefined ? [] : [{ subject: `RayCluster ${cluster.name}`, fields: { uid: cluster.uid } }]),
    ...(job === undefined ? [] : [{ subject: `Job ${job.name}`, fields: { uid: job.uid } }]),
    ...deployments.map(({ name, uid, generation, terminating }) => ({
      subject: `Deployment ${name}`,
      fields: { uid, generation: String(generation), ...deleted(terminating) },
    })),
    ...replicaSets.map(({ name, uid }) => ({ subject: `ReplicaSet ${name}`, fields: { uid } })),
    ...pods.map(livePodPin),
  ];
}

function livePodPin(pod: PodFacts): Pin {
  const statuses = [...pod.initStatuses, ...pod.statuses];
  const images = statuses.map(
    (status) => [`image of ${status.name}`, digestOfImageId(status.imageId) ?? status.imageId] as const,
  );
  const restarts = statuses.reduce((sum, status) => sum + status.restartCount, 0);
  return {
    subject: `pod ${pod.name}`,
    fields: {
      uid: pod.uid,
      owner: ownerText(pod.owners),
      restarts: String(restarts),
      ...deleted(pod.terminating),
      ...Object.fromEntries(images),
    },
  };
}
