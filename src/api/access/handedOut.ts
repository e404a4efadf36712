import { clusterObjectName, logConnectionName } from '../names.js';
import type { PolicyRule, Verb } from './policyRule.js';

/** Work that a researcher starts. */
const work: readonly Pick<PolicyRule, 'apiGroups' | 'resources'>[] = [
  { apiGroups: ['batch'], resources: ['jobs'] },
  { apiGroups: ['ray.io'], resources: ['rayjobs', 'rayservices'] },
];

/** What work leaves behind, and where it stands in the queue. */
const observation: readonly PolicyRule[] = [
  {
    apiGroups: [''],
    resources: ['events', 'persistentvolumeclaims', 'pods'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['kueue.x-k8s.io'], resources: ['localqueues', 'workloads'], verbs: ['get', 'list', 'watch'] },
];

const everything: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const wayOut: readonly Verb[] = ['get', 'list', 'watch', 'delete'];

function researcher(verbs: readonly Verb[]): readonly PolicyRule[] {
  return [
    ...work.map((rule) => ({ ...rule, verbs })),
    { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs },
    ...observation,
  ];
}

/** ClusterRole `tau-researcher-v1`. Deployments are not in it. */
export const researcherRules = researcher(everything);

/** ClusterRole `tau-researcher-drain-v1`: the same in a namespace that drains, with nothing that could start work. */
export const drainingResearcherRules = researcher(wayOut);

/** ClusterRole `tau-clusterqueue-reader-v1`. */
export const clusterQueueReaderRules: readonly PolicyRule[] = [
  { apiGroups: ['kueue.x-k8s.io'], resources: ['clusterqueues'], verbs: ['get'] },
  { apiGroups: ['tau.azure.com'], resources: ['clusters'], resourceNames: [clusterObjectName], verbs: ['get'] },
];

/** The Role `tau-workspace-reader-<workspace>` in the system namespace. */
export function workspaceReaderRules(workspace: string): readonly PolicyRule[] {
  return [
    {
      apiGroups: ['tau.azure.com'],
      resources: ['workspaces', 'workspaces/status'],
      resourceNames: [workspace],
      verbs: ['get'],
    },
    { apiGroups: ['tau.azure.com'], resources: ['quotarequests'], verbs: ['get', 'create'] },
    { apiGroups: [''], resources: ['configmaps'], resourceNames: [logConnectionName], verbs: ['get'] },
  ];
}
