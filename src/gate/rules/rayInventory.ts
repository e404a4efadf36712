import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import type { RayTopology } from '../model/contracts.js';
import type { Held } from '../model/held.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import type { RayClusterFacts } from '../model/rayClusterFacts.js';
import { topologyDifference } from '../model/rayTopology.js';

export interface RayReading {
  readonly cluster: RayClusterFacts | undefined;
  /** All pods of the namespace: labels alone do not say whose a pod is. */
  readonly pods: readonly PodFacts[];
  readonly held?: Held;
}

export interface RayExpectation {
  readonly clusterName: string;
  readonly namespace: string;
  readonly topology: RayTopology;
  /** Pinned at the first read; undefined before. */
  readonly clusterUid: string | undefined;
}

export interface RayPod {
  readonly pod: PodFacts;
  /** `head` or `worker:<group>`. */
  readonly role: string;
}

export interface RayInventory {
  readonly clusterUid: string;
  readonly pods: readonly RayPod[];
}

const podLimit = 128;
const containerLimit = 16;

/**
 * The RayCluster and exactly its pods, each owned by it. What it says holds whatever images the pods run: restart discovery
 * rests on it before it deletes anything.
 */
export function judgeRayInventory({ cluster, pods }: RayReading, expected: RayExpectation): Verdict<RayInventory> {
  if (cluster === undefined)
    return waiting('ray.cluster-absent', `RayCluster ${expected.clusterName} is not there yet`);
  if (cluster.uid === '') return failed('ray.cluster-uid', `RayCluster ${cluster.name} has no UID.`);
  if (expected.clusterUid !== undefined && cluster.uid !== expected.clusterUid) {
    return failed(
      'ray.cluster-replaced',
      `RayCluster ${cluster.name} has UID ${cluster.uid}, not ${expected.clusterUid} of this run.`,
    );
  }
  if (cluster.terminating) return failed('ray.cluster-terminating', `RayCluster ${cluster.name} is being deleted.`);
  const owner = controllerOf(cluster.owners);
  if (owner) {
    const detail = `RayCluster ${cluster.name} is controlled by ${owner.kind} ${owner.name}, not by us.`;
    return failed('ray.cluster-owner', detail);
  }
  if (cluster.suspended) return failed('ray.suspended', `RayCluster ${cluster.name} is suspended: resume it.`);
  if (!cluster.topology.ok) return failed('ray.topology', `RayCluster ${cluster.name}: ${cluster.topology.problem}.`);
  const difference = topologyDifference(cluster.topology.topology, expected.topology);
  if (difference !== undefined) return failed('ray.topology', `RayCluster ${cluster.name} has ${difference}.`);
  const considered = pods.filter(
    (pod) => pod.owners.some((owner) => owner.uid === cluster.uid) || pod.labels['ray.io/cluster'] === cluster.name,
  );
  if (considered.length > podLimit)
    return failed('ray.pod-count', `There are ${considered.length} Ray pods, more than ${podLimit}.`);
  const found: RayPod[] = [];
  for (const pod of considered) {
    const problem = ownershipProblem(pod, cluster);
    if (problem !== undefined) return failed('ray.pod-not-owned', `Pod ${pod.name} ${problem}.`);
    const role = roleOf(pod, expected.topology);
    if (role === undefined) {
      const labels = ['app', 'component', 'ray.io/group'].map((key) => `${key}=${pod.labels[key] ?? '-'}`).join(', ');
      return failed('ray.pod-role', `Pod ${pod.name} is no head and no worker of a planned group (${labels}).`);
    }
    if (pod.containers.length < 1 || pod.containers.length + pod.initContainers.length > containerLimit) {
      return failed('ray.pod-shape', `Pod ${pod.name} has ${pod.containers.length} containers.`);
    }
    if (pod.ephemeralContainers > 0)
      return failed('ray.ephemeral-container', `Pod ${pod.name} has an ephemeral container.`);
    found.push({ pod, role });
  }
  return ready({ clusterUid: cluster.uid, pods: found });
}

/** Whether a pod is controlled by exactly this RayCluster, and says so in its label too. */
function ownershipProblem(pod: PodFacts, cluster: RayClusterFacts): string | undefined {
  if (pod.namespace !== cluster.namespace) return `is in the namespace ${pod.namespace}`;
  if (pod.uid.length < 1 || pod.uid.length > 128) return 'has no usable UID';
  const controller = controllerOf(pod.owners);
  if (controller === undefined) return 'has no controlling owner';
  const { apiVersion, kind, name, uid } = controller;
  if (apiVersion !== 'ray.io/v1' || kind !== 'RayCluster' || name !== cluster.name || uid !== cluster.uid) {
    return `is controlled by ${apiVersion} ${kind} ${name} (${uid}), not by RayCluster ${cluster.name} (${cluster.uid})`;
  }
  if (pod.labels['ray.io/cluster'] !== cluster.name) return `lacks the label ray.io/cluster=${cluster.name}`;
  return undefined;
}

function roleOf(pod: PodFacts, topology: RayTopology): string | undefined {
  if (pod.labels['app'] !== 'ray') return undefined;
  if (pod.labels['component'] === 'head') return 'head';
  const group = pod.labels['ray.io/group'];
  const planned = topology.groups.some((candidate) => candidate.name === group);
  return pod.labels['component'] === 'worker' && planned ? `worker:${group}` : undefined;
}
