import type { ObjectMeta } from '../imports/kubernetes.js';
import { stackNamespace } from '../names.js';

/** On every object of ours: how preflight tells it from a stranger of the same name. */
export const ownershipLabels = {
  'app.kubernetes.io/name': 'django-ray',
  'app.kubernetes.io/part-of': 'django-ray',
  'app.kubernetes.io/managed-by': 'raygate',
} as const;

/** Metadata of a cluster-scoped object. */
export function clusterMeta(name: string): ObjectMeta {
  return { name, labels: ownershipLabels };
}

/** Metadata of an object in the stack's namespace. */
export function objectMeta(name: string, extra: Pick<ObjectMeta, 'labels' | 'annotations'> = {}): ObjectMeta {
  return { name, namespace: stackNamespace, ...extra, labels: { ...ownershipLabels, ...extra.labels } };
}
