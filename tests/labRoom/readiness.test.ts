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

const node = (status: string, message = '') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: addresses.nodeName },
  status: { conditions: [{ type: 'Ready', status, message }] },
});

const deployment = (status: Record<string, unknown>, generation = 1) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'kuberay-operator', namespace: 'kuberay-system', generation },
  status,
});

describe('the lab is ready', () => {
  const rows: readonly [string, View, unknown][] = [
    [
      'when the node is Ready and the operator available',
      viewOf(node('True'), deployment({ observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 })),
      { kind: 'ready', facts: ['node Ready', 'kuberay available'] },
    ],
    [
      'not before the node registered',
      viewOf(deployment({ observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 })),
      { kind: 'waiting', code: 'lab.node', detail: 'the node has not registered' },
    ],
    [
      'not while the node says why it is not',
      viewOf(
        node('False', 'cni plugin not initialized'),
        deployment({ observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 }),
      ),
      { kind: 'waiting', code: 'lab.node', detail: 'node not Ready: cni plugin not initialized' },
    ],
    [
      'not on the status of an older generation',
      viewOf(node('True'), deployment({ observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 }, 2)),
      { kind: 'waiting', code: 'lab.operator', detail: 'kuberay: no available replica' },
    ],
    [
      'not while the available replica is of the old template',
      viewOf(node('True'), deployment({ observedGeneration: 1, availableReplicas: 1 })),
      { kind: 'waiting', code: 'lab.operator', detail: 'kuberay: no available replica' },
    ],
  ];
  it.each(rows)('%s', (_, view, expected) => {
    expect(judgeReadiness(view, [operator])).toEqual(expected);
  });
});
