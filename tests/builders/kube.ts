import type { KubeObject, ObjectMeta } from '../../src/cluster/objects.js';

export interface ObjectFields {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** A Kubernetes object in namespace `django-ray` of which only what matters to a test is given. */
export function anObject(fields: ObjectFields = {}): KubeObject {
  const { apiVersion = 'v1', kind = 'ConfigMap', metadata = {}, ...rest } = fields;
  const name = metadata.name ?? 'thing';
  return {
    apiVersion,
    kind,
    metadata: { namespace: 'django-ray', uid: `uid-of-${name}`, resourceVersion: '1', ...metadata, name },
    ...rest,
  };
}

export function aConfigMap(name: string, resourceVersion = '1', fields: ObjectFields = {}): KubeObject {
  return anObject({ ...fields, metadata: { name, resourceVersion, ...fields.metadata } });
}
