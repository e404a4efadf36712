import type { View } from '../cluster/watchStore.js';
import { allReady, ready, type Verdict, waiting } from '../core/verdict.js';
import { addresses } from './addresses.js';
import type { Operator } from './operators/operator.js';

const node = { apiVersion: 'v1', kind: 'Node', name: addresses.nodeName } as const;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** Ready when the node is Ready and every operator's Deployment has an available replica of its present generation. */
export function judgeReadiness(view: View, operators: readonly Operator[]): Verdict<readonly string[]> {
  return allReady([judgeNode(view), ...operators.map((operator) => judgeOperator(view, operator))]);
}

function judgeNode(view: View): Verdict<string> {
  const read = view.get(node);
  if (read.kind === 'unreadable') return waiting('lab.node', `node: ${read.reason}`);
  if (read.kind === 'absent') return waiting('lab.node', 'the node has not registered');
  const status = read.value['status'] as { conditions?: readonly Condition[] } | undefined;
  const condition = status?.conditions?.find((each) => each.type === 'Ready');
  if (condition?.status === 'True') return ready('node Ready');
  return waiting('lab.node', `node not Ready: ${condition?.message ?? 'no condition yet'}`);
}

function judgeOperator(view: View, operator: Operator): Verdict<string> {
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
    return ready(`${operator.name} available`);
  const why = status?.conditions?.find((each) => each.status !== 'True')?.message;
  return waiting('lab.operator', `${operator.name}: no available replica${why ? ` (${why})` : ''}`);
}
