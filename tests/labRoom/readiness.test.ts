import { describe, expect, it } from 'vitest';
import type { KindRef, KubeObject, ObjectRef } from '../../src/cluster/objects.js';
import type { View } from '../../src/cluster/watchStore.js';
import { absent, found, type Outcome } from '../../src/core/outcome.js';
import { addresses } from '../../src/lab/addresses.js';
import { deploymentRef, type Operator } from '../../src/lab/operators/operator.js';
import { judgeReadiness } from '../../src/lab/readiness.js';

const operator: Operator = {
  name: 'kuberay',
  objects: [],
  deployment: deploymentRef('kuberay-system', 'kuberay-operator'),
};

function viewOf(...objects: readonly KubeObject[]): View {
  return {
    list: (kind: KindRef) => found(objects.filter((object) => object.kind === kind.kind)),
    get: (ref: ObjectRef): Outcome<KubeObject> => {
      const object = objects.find((each) => each.kind === ref.kind && each.metadata.name === ref.name);
      return object ? found(object) : absent;
    },
  };
}

const kubeletStarted = new Date('2026-03-01T10:00:00.900Z');
const before = '2026-03-01T09:59:59Z';
const after = '2026-03-01T10:00:00Z';

const node = (status: string, { message = '', lastHeartbeatTime = after } = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: addresses.nodeName },
  status: { conditions: [{ type: 'Ready', status, message, lastHeartbeatTime }] },
});

const available = { observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 };

const deployment = (status: Record<string, unknown> = available, generation = 1) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'kuberay-operator', namespace: 'kuberay-system', generation },
  spec: { selector: { matchLabels: { app: 'kuberay' } } },
  status,
});

const pod = ({
  startedAt = after,
  id = 'a',
  isReady = 'True',
  namespace = 'kuberay-system',
  app = 'kuberay',
  containers = 1,
} = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'kuberay-operator-x', namespace, labels: { app, more: 'x' } },
  status: {
    conditions: [{ type: 'Ready', status: isReady }],
    containerStatuses: Array.from({ length: containers }, () => ({
      containerID: `containerd://${id}`,
      state: { running: { startedAt } },
    })),
  },
});

const isReady = { kind: 'ready', facts: ['node Ready', 'kuberay available'] };
const podOfBefore = {
  kind: 'waiting',
  code: 'lab.operator',
  detail: "kuberay: its pod has not run since the kubelet's start",
};
const nodeOfBefore = {
  kind: 'waiting',
  code: 'lab.node',
  detail: 'node: the kubelet has not reported since its start',
};

describe('the lab is ready', () => {
  const rows: readonly [string, View, unknown][] = [
    ['when the node is Ready and the operator available', viewOf(node('True'), deployment(), pod()), isReady],
    [
      'when a container is older than the kubelet, but lives',
      viewOf(node('True'), deployment(), pod({ startedAt: before, id: 'survivor' })),
      isReady,
    ],
    [
      'not before the node registered',
      viewOf(deployment(), pod()),
      { kind: 'waiting', code: 'lab.node', detail: 'the node has not registered' },
    ],
    [
      'not while the node says why it is not',
      viewOf(node('False', { message: 'cni plugin not initialized' }), deployment(), pod()),
      { kind: 'waiting', code: 'lab.node', detail: 'node not Ready: cni plugin not initialized' },
    ],
    [
      'not on what an earlier kubelet said of the node',
      viewOf(node('True', { lastHeartbeatTime: before }), deployment(), pod()),
      nodeOfBefore,
    ],
    [
      'not on a pod whose container an earlier kubelet saw running, and that has ended since',
      viewOf(node('True'), deployment(), pod({ startedAt: before })),
      podOfBefore,
    ],
    ['not on a pod that is not Ready', viewOf(node('True'), deployment(), pod({ isReady: 'False' })), podOfBefore],
    ['not on a pod without containers', viewOf(node('True'), deployment(), pod({ containers: 0 })), podOfBefore],
    [
      'not on a pod of another namespace',
      viewOf(node('True'), deployment(), pod({ namespace: 'default' })),
      podOfBefore,
    ],
    ['not on a pod of other labels', viewOf(node('True'), deployment(), pod({ app: 'other' })), podOfBefore],
    [
      'not on the status of an older generation',
      viewOf(node('True'), deployment(available, 2), pod()),
      { kind: 'waiting', code: 'lab.operator', detail: 'kuberay: no available replica' },
    ],
    [
      'not while the available replica is of the old template',
      viewOf(node('True'), deployment({ observedGeneration: 1, availableReplicas: 1 }), pod()),
      { kind: 'waiting', code: 'lab.operator', detail: 'kuberay: no available replica' },
    ],
  ];
  it.each(rows)('%s', (_, view, expected) => {
    expect(judgeReadiness(view, [operator], { kubeletStarted, living: new Set(['survivor']) })).toEqual(expected);
  });
});
