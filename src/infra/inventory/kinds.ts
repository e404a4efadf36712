import type { Scope } from '../plannedObject.js';

export interface KindFacts {
  readonly scope: Scope;
  /** As in the API's paths. */
  readonly plural: string;
}

/**
 * Kinds that the checker knows. Scope comes from here and never from `metadata.namespace`: an object that states a namespace may
 * still be cluster-scoped, and one that states none may not. Source: Kubernetes 1.35, KubeRay 1.6.2.
 */
const kinds: Readonly<Record<string, KindFacts>> = {
  'v1/ConfigMap': { scope: 'namespaced', plural: 'configmaps' },
  'v1/Namespace': { scope: 'cluster', plural: 'namespaces' },
  'v1/Node': { scope: 'cluster', plural: 'nodes' },
  'v1/PersistentVolume': { scope: 'cluster', plural: 'persistentvolumes' },
  'v1/PersistentVolumeClaim': { scope: 'namespaced', plural: 'persistentvolumeclaims' },
  'v1/Pod': { scope: 'namespaced', plural: 'pods' },
  'v1/Secret': { scope: 'namespaced', plural: 'secrets' },
  'v1/Service': { scope: 'namespaced', plural: 'services' },
  'v1/ServiceAccount': { scope: 'namespaced', plural: 'serviceaccounts' },
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': {
    scope: 'cluster',
    plural: 'mutatingwebhookconfigurations',
  },
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': {
    scope: 'cluster',
    plural: 'validatingadmissionpolicies',
  },
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': {
    scope: 'cluster',
    plural: 'validatingadmissionpolicybindings',
  },
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': {
    scope: 'cluster',
    plural: 'validatingwebhookconfigurations',
  },
  'apiextensions.k8s.io/v1/CustomResourceDefinition': { scope: 'cluster', plural: 'customresourcedefinitions' },
  'apps/v1/DaemonSet': { scope: 'namespaced', plural: 'daemonsets' },
  'apps/v1/Deployment': { scope: 'namespaced', plural: 'deployments' },
  'apps/v1/StatefulSet': { scope: 'namespaced', plural: 'statefulsets' },
  'batch/v1/CronJob': { scope: 'namespaced', plural: 'cronjobs' },
  'batch/v1/Job': { scope: 'namespaced', plural: 'jobs' },
  'coordination.k8s.io/v1/Lease': { scope: 'namespaced', plural: 'leases' },
  'networking.k8s.io/v1/Ingress': { scope: 'namespaced', plural: 'ingresses' },
  'networking.k8s.io/v1/IngressClass': { scope: 'cluster', plural: 'ingressclasses' },
  'networking.k8s.io/v1/NetworkPolicy': { scope: 'namespaced', plural: 'networkpolicies' },
  'policy/v1/PodDisruptionBudget': { scope: 'namespaced', plural: 'poddisruptionbudgets' },
  'ray.io/v1/RayCluster': { scope: 'namespaced', plural: 'rayclusters' },
  'ray.io/v1/RayJob': { scope: 'namespaced', plural: 'rayjobs' },
  'ray.io/v1/RayService': { scope: 'namespaced', plural: 'rayservices' },
  'rbac.authorization.k8s.io/v1/ClusterRole': { scope: 'cluster', plural: 'clusterroles' },
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': { scope: 'cluster', plural: 'clusterrolebindings' },
  'rbac.authorization.k8s.io/v1/Role': { scope: 'namespaced', plural: 'roles' },
  'rbac.authorization.k8s.io/v1/RoleBinding': { scope: 'namespaced', plural: 'rolebindings' },
  'storage.k8s.io/v1/StorageClass': { scope: 'cluster', plural: 'storageclasses' },
};

/** What is known of a kind, or undefined: an unknown kind has no scope, and is refused. */
export function kindFacts(apiVersion: string, kind: string): KindFacts | undefined {
  const key = `${apiVersion}/${kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}
