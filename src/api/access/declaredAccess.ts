import { controllerName, leaseName, logConnectionName, workspaceRoleNames } from '../names.js';
import type { ApiGroup } from './optionalGroups.js';
import { readVerbs, type Verb } from './policyRule.js';

/** Which role gives it: the ClusterRole, or one of the two Roles in the system namespace. */
export const accessRoles = {
  core: controllerName,
  leaderElection: 'tau-workspace-leader-election',
  platformRbac: 'tau-workspace-platform-rbac-manager',
} as const;

export type AccessRole = keyof typeof accessRoles;

/** One thing that the controller reads or writes. */
export interface DeclaredAccess {
  /** The reconcile path that needs it. */
  readonly path: string;
  readonly role: AccessRole;
  readonly group: ApiGroup;
  /** Plural, with the subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /** Only objects of these names. */
  readonly names?: readonly string[];
}

type Row = readonly [
  path: string,
  group: ApiGroup,
  resource: string,
  verbs: readonly Verb[],
  names?: readonly string[],
];

const read = readVerbs;
const readCreatePatch = [...readVerbs, 'create', 'patch'] as const;
const readDelete = [...readVerbs, 'delete'] as const;
const own = [...readVerbs, 'create', 'patch', 'delete'] as const;

/** In every namespace. */
const core: readonly Row[] = [
  ['workspace: watch loop, and a note on those outside the system namespace', 'tau.azure.com', 'workspaces', read],
  ['workspace: finalizer put on first and taken off last', 'tau.azure.com', 'workspaces', ['patch']],
  ['workspace: status after each pass', 'tau.azure.com', 'workspaces/status', ['get', 'patch']],
  ['queue: default queue of TauCluster cluster', 'tau.azure.com', 'clusters', read],
  ['queue: team Ready at its generation; its workspaces reconciled on change', 'tau.azure.com', 'teams', read],

  ['namespace: create, stamp, strip', '', 'namespaces', readCreatePatch],
  ['identity: make, compare, revoke and see it gone', '', 'serviceaccounts', own],

  ['access: researcher binding of the target; old ones removed', 'rbac.authorization.k8s.io', 'rolebindings', own],
  ['access: ClusterQueue reader', 'rbac.authorization.k8s.io', 'clusterrolebindings', own],
  ['cleanup: Roles that an earlier controller made', 'rbac.authorization.k8s.io', 'roles', readDelete],
  [
    'access: refer to these ClusterRoles in a binding',
    'rbac.authorization.k8s.io',
    'clusterroles',
    ['bind'],
    Object.values(workspaceRoleNames),
  ],

  ['queue: owned LocalQueue of the target; old ones removed', 'kueue.x-k8s.io', 'localqueues', own],
  ["queue: a team workspace's own ClusterQueue; routes of the others", 'kueue.x-k8s.io', 'clusterqueues', own],
  ['queue: flavors that the quota names exist', 'kueue.x-k8s.io', 'resourceflavors', read],
  ["drain: Kueue's own selector of managed namespaces", '', 'configmaps', ['get'], ['kueue-manager-config']],

  ['drain: accepted work', 'kueue.x-k8s.io', 'workloads', read],
  ['drain: Jobs before and after they have a Workload', 'batch', 'jobs', read],
  ['drain: CronJobs that still make Jobs', 'batch', 'cronjobs', read],
  ['drain: Deployments whose template names a queue or the identity', 'apps', 'deployments', read],
  ['drain: StatefulSets whose template names a queue or the identity', 'apps', 'statefulsets', read],
  ['drain: Pods, their groups, and the identity that live ones use', '', 'pods', read],
  ['drain: RayJobs up to their terminal status', 'ray.io', 'rayjobs', read],
  ['drain: RayServices until they are gone', 'ray.io', 'rayservices', read],
  ['drain: RayClusters until they are gone', 'ray.io', 'rayclusters', read],
  ['drain: JobSets up to their terminal status', 'jobset.x-k8s.io', 'jobsets', read],
  ['drain: LeaderWorkerSets until they are gone', 'leaderworkerset.x-k8s.io', 'leaderworkersets', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'pytorchjobs', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'tfjobs', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'xgboostjobs', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'paddlejobs', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'jaxjobs', read],
  ['drain: training jobs up to their terminal status', 'kubeflow.org', 'mpijobs', read],
  ['drain: training jobs up to their terminal status', 'trainer.kubeflow.org', 'trainjobs', read],
  ['drain: AppWrappers up to their terminal status', 'workload.codeflare.dev', 'appwrappers', read],
  ['drain: Spark applications up to their terminal status', 'sparkoperator.k8s.io', 'sparkapplications', read],
];

/** In the system namespace. */
const leaderElection: readonly Row[] = [
  ['start: the first Lease', 'coordination.k8s.io', 'leases', ['create']],
  ['start and renewal: hold the Lease', 'coordination.k8s.io', 'leases', ['get', 'patch'], [leaseName]],
  ['workspace: an Event on each transition', '', 'events', ['create', 'patch']],
];

/**
 * In the system namespace: the reader Role of each workspace. The API server lets nobody give away what he does not hold, so
 * what these Roles give stands here too, and neither `escalate` nor `bind` is needed.
 */
const platformRbac: readonly Row[] = [
  ['access: reader Role of a workspace', 'rbac.authorization.k8s.io', 'roles', ['create', 'patch']],
  ['access: given away by the reader Role', 'tau.azure.com', 'quotarequests', ['get', 'create']],
  ['access: given away by the reader Role', '', 'configmaps', ['get'], [logConnectionName]],
];

function of(role: AccessRole, rows: readonly Row[]): readonly DeclaredAccess[] {
  return rows.map(([path, group, resource, verbs, names]) => ({
    path,
    role,
    group,
    resource,
    verbs,
    ...(names ? { names } : {}),
  }));
}

/** Every read and write of the controller. Its roles hold what follows from these rows and nothing else. */
export const declaredAccess: readonly DeclaredAccess[] = [
  ...of('core', core),
  ...of('leaderElection', leaderElection),
  ...of('platformRbac', platformRbac),
];
