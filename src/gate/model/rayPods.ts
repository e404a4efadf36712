import { gateNamespace, rayClusterName } from './kinds.js';
import type { KubeRayContract } from './kuberayContract.js';
import type { RunPlan } from './plan.js';
import type { PodTemplate } from './podTemplate.js';

/** The whole pods that an operator makes of the planned nodes, by role: `head`, `worker:<group>`. */
export function plannedRayPods(
  { topology, templates }: RunPlan['ray'],
  operator: KubeRayContract,
): Readonly<Record<string, PodTemplate>> {
  const { head, groups } = topology;
  const headPort = head.startParameters['port'] ?? '6379';
  const make = (role: string, type: 'head' | 'worker', group: string, startParameters: typeof head.startParameters) => {
    const template = templates[role] ?? { labels: {}, annotations: {}, spec: {} };
    const node = { type, group, clusterName: rayClusterName, namespace: gateNamespace, startParameters, headPort };
    return [role, operator.podOf({ ...node, template })] as const;
  };
  return Object.fromEntries([
    make('head', 'head', '', head.startParameters),
    ...groups.map(({ name, startParameters }) => make(`worker:${name}`, 'worker', name, startParameters)),
  ]);
}
