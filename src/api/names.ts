/** Names of the workspace API and of its controller that more than one room uses. */
export const apiGroup = 'tau.azure.com';
export const apiVersionName = 'v1alpha1';
export const apiVersion = `${apiGroup}/${apiVersionName}`;

/** Where workspaces, the controller and its Lease live, unless an installation says otherwise. */
export const defaultSystemNamespace = 'tau-system';

/** ServiceAccount, Deployment, ClusterRole and bindings of the controller; also the value of its `managed-by` label. */
export const controllerName = 'tau-core-controller';

/** The Lease that one controller holds. */
export const leaseName = `${controllerName}.${apiGroup}`;

/** ClusterRoles that the controller binds for a workspace and never changes. */
export const workspaceRoleNames = {
  researcher: 'tau-researcher-v1',
  /** What is left of the researcher's grant while a namespace drains: see and delete, create nothing. */
  drainingResearcher: 'tau-researcher-drain-v1',
  clusterQueueReader: 'tau-clusterqueue-reader-v1',
} as const;

/** The one TauCluster that is read. */
export const clusterObjectName = 'cluster';

/** ConfigMap in the system namespace that a workspace's reader may see. */
export const logConnectionName = 'tau-log-connection';
