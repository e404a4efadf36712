import type { KindRef } from '../../cluster/objects.js';

/** The kinds that the gate reads, under the versions that it reads them at. */
export const kinds = {
  pod: { apiVersion: 'v1', kind: 'Pod' },
  secret: { apiVersion: 'v1', kind: 'Secret' },
  service: { apiVersion: 'v1', kind: 'Service' },
  namespace: { apiVersion: 'v1', kind: 'Namespace' },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  replicaSet: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  job: { apiVersion: 'batch/v1', kind: 'Job' },
  rayCluster: { apiVersion: 'ray.io/v1', kind: 'RayCluster' },
  rayJob: { apiVersion: 'ray.io/v1', kind: 'RayJob' },
  workload: { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'Workload' },
  lease: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  persistentVolumeClaim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  apiService: { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
  crd: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  clusterRole: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
  clusterRoleBinding: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' },
} as const satisfies Record<string, KindRef>;

/** The one namespace that the gate works in. */
export const gateNamespace = 'django-ray';
export const secretName = 'django-ray-secret';
export const tokenKey = 'DJANGO_API_TOKEN';
export const setupJobName = 'django-setup';
export const rayClusterName = 'ray';
export const webDeploymentName = 'django-web';
export const fieldManager = 'raygate';
