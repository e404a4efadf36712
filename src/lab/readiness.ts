import type { KubeObject } from '../cluster/objects.js';
import type { View } from '../cluster/watchStore.js';
import { allReady, ready, type Verdict, waiting } from '../core/verdict.js';
import { addresses } from './addresses.js';
import type { Operator } from './operators/operator.js';

const node = { apiVersion: 'v1', kind: 'Node', name: addresses.nodeName } as const;
const podKind = { apiVersion: 'v1', kind: 'Pod' } as const;

/** What readiness rests on: etcd outlives a `down`, and says of a stopped node what was true when it last ran. */
export const readinessKinds = [
  { kind: { apiVersion: node.apiVersion, kind: node.kind } },
  { kind: { apiVersion: 'apps/v1', kind: 'Deployment' } },
  { kind: podKind },
] as const;

/** What tells a status of now from one that an earlier kubelet left behind. */
export interface Start {
  /** Of the running kubelet. */
  readonly kubeletStarted: Date;
  /** Ids of containers that lived at some moment after that, or that the kubelet found living. */
  readonly living: ReadonlySet<string>;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
}

/**
 * Ready when the running kubelet itself has called the node Ready, and every operator's Deployment has an available replica of
 * its present generation in a Ready pod whose containers run under that kubelet.
 */
export function judgeReadiness(view: View, operators: readonly Operator[], start: Start): Verdict<readonly string[]> {
  return allReady([judgeNode(view, start), ...operators.map((operator) => judgeOperator(view, operator, start))]);
}

function judgeNode(view: View, start: Start): Verdict<string> {
  const read = view.get(node);
  if (read.kind === 'unreadable') return waiting('lab.node', `node: ${read.reason}`);
  if (read.kind === 'absent') return waiting('lab.node', 'the node has not registered');
  const condition = conditionOf(read.value, 'Ready');
  if (!isSince(condition?.lastHeartbeatTime, start.kubeletStarted))
    return waiting('lab.node', 'node: the kubelet has not reported since its start');
  if (condition?.status === 'True') return ready('node Ready');
  return waiting('lab.node', `node not Ready: ${condition?.message ?? 'no condition yet'}`);
}

function judgeOperator(view: View, operator: Operator, start: Start): Verdict<string> {
  const read = view.get(operator.deployment);
  if (read.kind !== 'found') return waiting('lab.operator', `${operator.name}: its Deployment is not there yet`);
  const status = read.value['status'] as
    | {
        observedGeneration?: number;
        availableReplicas?: number;
        updatedReplicas?: number;
        conditions?: readonly Condition[];
      }
    | undefined;
  const current = (status?.observedGeneration ?? 0) >= (read.value.metadata.generation ?? 0);
  if (current && (status?.availableReplicas ?? 0) >= 1 && (status?.updatedReplicas ?? 0) >= 1)
    return podsOf(view, read.value).some((pod) => runsNow(pod, start))
      ? ready(`${operator.name} available`)
      : waiting('lab.operator', `${operator.name}: its pod has not run since the kubelet's start`);
  const why = status?.conditions?.find((each) => each.status !== 'True')?.message;
  return waiting('lab.operator', `${operator.name}: no available replica${why ? ` (${why})` : ''}`);
}

function podsOf(view: View, deployment: KubeObject): readonly KubeObject[] {
  const spec = deployment['spec'] as { selector?: { matchLabels?: Readonly<Record<string, string>> } } | undefined;
  const labels = Object.entries(spec?.selector?.matchLabels ?? {});
  const pods = view.list(podKind);
  if (pods.kind !== 'found' || labels.length === 0) return [];
  return pods.value.filter(
    ({ metadata }) =>
      metadata.namespace === deployment.metadata.namespace &&
      labels.every(([key, value]) => metadata.labels?.[key] === value),
  );
}

interface ContainerStatus {
  readonly containerID?: string;
  readonly state?: { readonly running?: { readonly startedAt?: string } };
}

function runsNow(pod: KubeObject, { kubeletStarted, living }: Start): boolean {
  if (conditionOf(pod, 'Ready')?.status !== 'True') return false;
  const status = pod['status'] as { containerStatuses?: readonly ContainerStatus[] } | undefined;
  const containers = status?.containerStatuses ?? [];
  return (
    containers.length > 0 &&
    containers.every(
      ({ containerID, state }) =>
        isSince(state?.running?.startedAt, kubeletStarted) ||
        living.has(containerID?.replace('containerd://', '') ?? ''),
    )
  );
}

function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const status = object['status'] as { conditions?: readonly Condition[] } | undefined;
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Kubernetes cuts its times to the second. */
function isSince(time: string | undefined, start: Date): boolean {
  return time !== undefined && Date.parse(time) >= Math.floor(start.getTime() / 1000) * 1000;
}
