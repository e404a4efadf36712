import type { KubeObject } from '../../cluster/objects.js';
import { readJob } from '../model/jobFacts.js';
import { asList, asRecord, asText, at } from '../model/json.js';
import { kinds } from '../model/kinds.js';
import type { NamespaceFacts } from '../model/namespaceFacts.js';
import { readPod } from '../model/podFacts.js';
import { readDeployment, readReplicaSet } from '../model/rolloutFacts.js';
import { podFault, podProgress } from '../rules/podFault.js';
import { listOr } from './listOr.js';
import type { ReadingCluster } from './readingCluster.js';

type Fault = NamespaceFacts['faults'][number];

/** What the objects of a namespace say of themselves that keeps them from being as they are wanted. */
export async function readFaults(
  cluster: ReadingCluster,
  namespace: string,
  pods: readonly KubeObject[],
  unread: NamespaceFacts['unread'][number][],
): Promise<readonly Fault[]> {
  const [deployments, sets, jobs, claims, workloads] = await Promise.all(
    [kinds.deployment, kinds.replicaSet, kinds.job, kinds.persistentVolumeClaim, kinds.workload].map((kind) =>
      listOr(cluster, kind, namespace, unread),
    ),
  );
  return [
    ...(claims ?? []).flatMap(claimFault),
    ...pods.flatMap(podFaults),
    ...(sets ?? []).flatMap(replicaSetFault),
    ...(deployments ?? []).flatMap(deploymentFaults),
    ...(jobs ?? []).flatMap(jobFault),
    ...(workloads ?? []).flatMap(workloadFault),
  ];
}

function podFaults(object: KubeObject): readonly Fault[] {
  const pod = readPod(object);
  const fault = podFault(pod);
  if (fault !== undefined) return [{ object: `Pod ${pod.name}`, detail: fault.detail }];
  if (pod.phase === 'Succeeded' || pod.terminating || (pod.ready && pod.phase === 'Running')) return [];
  return [{ object: `Pod ${pod.name}`, detail: `not ready: ${podProgress(pod)}` }];
}

function claimFault({ metadata, status }: KubeObject): readonly Fault[] {
  const phase = asText(at(status, 'phase'));
  if (phase === 'Bound' || phase === '') return [];
  return [{ object: `PersistentVolumeClaim ${metadata.name}`, detail: `it is ${phase}: no volume is bound to it` }];
}

function replicaSetFault(object: KubeObject): readonly Fault[] {
  const { name, replicaFailure } = readReplicaSet(object);
  return replicaFailure === undefined
    ? []
    : [{ object: `ReplicaSet ${name}`, detail: `it cannot make pods: ${replicaFailure}` }];
}

function deploymentFaults(object: KubeObject): readonly Fault[] {
  const { name, progressFailure, observedGeneration, generation, replicas, availableReplicas } = readDeployment(object);
  const say = (detail: string) => [{ object: `Deployment ${name}`, detail }];
  if (progressFailure !== undefined) return say(progressFailure);
  if (observedGeneration !== generation) return say(`its generation ${generation} is not observed yet`);
  return availableReplicas < replicas ? say(`${availableReplicas} of ${replicas} replicas are available`) : [];
}

function jobFault(object: KubeObject): readonly Fault[] {
  const { name, failure } = readJob(object);
  return failure === undefined ? [] : [{ object: `Job ${name}`, detail: `it failed: ${failure}` }];
}

/** A Kueue Workload that waits for quota. */
function workloadFault({ metadata, status }: KubeObject): readonly Fault[] {
  const conditions = asList(at(status, 'conditions')).map(asRecord);
  const waiting = conditions.find((one) => one['type'] === 'QuotaReserved' && one['status'] === 'False');
  const finished = conditions.some((one) => one['type'] === 'Finished' && one['status'] === 'True');
  if (waiting === undefined || finished) return [];
  return [
    { object: `Workload ${metadata.name}`, detail: `no quota is reserved for it: ${asText(waiting['message'])}` },
  ];
}
