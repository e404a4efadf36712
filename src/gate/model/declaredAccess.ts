import { gateLeaseName, secretName, setupJobName } from './kinds.js';
import { configMapName, webServiceName } from './webFacts.js';

/** One thing that a step of the gate reads or writes. Preflight's reads are the user's own. */
export interface GateAccess {
  /** What needs it. */
  readonly path: string;
  readonly group: string;
  /** Plural, with the subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly ('get' | 'list' | 'watch' | 'create' | 'patch' | 'delete')[];
  /** Only objects of these names. A create request of the gate names none to the authorizer, so it has a row of its own. */
  readonly names?: readonly string[];
  /** Default: the stack's namespace. */
  readonly scope?: 'cluster';
}

type Row = readonly [
  path: string,
  group: string,
  resource: string,
  verbs: GateAccess['verbs'],
  names?: readonly string[],
];

const watched = ['list', 'watch'] as const;

const rows: readonly Row[] = [
  ['every wait: pods', '', 'pods', watched],
  ['every wait: Deployments', 'apps', 'deployments', ['get', ...watched]],
  ['every wait: ReplicaSets', 'apps', 'replicasets', watched],
  ['every wait: Jobs', 'batch', 'jobs', watched],
  ['every wait: Events, in which a controller says why it makes no pods', '', 'events', watched],
  ['every wait: RayClusters', 'ray.io', 'rayclusters', watched],
  ['drain: unfinished RayJobs', 'ray.io', 'rayjobs', ['list']],
  ['drain: unfinished Workloads', 'kueue.x-k8s.io', 'workloads', ['list']],
  ["drain, api-smoke: the application's token", '', 'secrets', ['get'], [secretName]],
  ['setup: what the Job printed', '', 'pods/log', ['get']],
  ['setup: the Job of a run', 'batch', 'jobs', ['create']],
  ['setup: the Job of a run, replaced by the next', 'batch', 'jobs', ['get', 'delete'], [setupJobName]],
  ["ray: a cold restart; which pods, the admission policy says: the RayCluster's own", '', 'pods', ['delete']],
  ['probes: what is declared of web', '', 'configmaps', ['get'], [configMapName]],
  ['probes: what is declared of web', '', 'services', ['get'], [webServiceName]],
  // To run a command is both: a request that a role lets in by either verb, by the API server's version (1.35).
  [
    "runtime-env: the archive in each Ray pod; probes: web's Service from the head; which containers, the admission policy says: Ray's own",
    '',
    'pods/exec',
    ['get', 'create'],
  ],
  ['one gate at a time', 'coordination.k8s.io', 'leases', ['create']],
  ['one gate at a time', 'coordination.k8s.io', 'leases', ['get', 'patch', 'delete'], [gateLeaseName]],
];

/** Of the whole cluster: reads only. */
const clusterRows: readonly Row[] = [['image-identity: the container runtimes of the nodes', '', 'nodes', ['list']]];

function accessOf([path, group, resource, verbs, names]: Row): GateAccess {
  return { path, group, resource, verbs, ...(names ? { names } : {}) };
}

/** Every read and write of the gate's steps: what the deployer's account needs beside the inventory's own objects. */
export const gateAccess: readonly GateAccess[] = [
  ...rows.map(accessOf),
  ...clusterRows.map((row): GateAccess => ({ ...accessOf(row), scope: 'cluster' })),
];
