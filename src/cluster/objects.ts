/** Kubernetes objects as plain data: what the API server's JSON says, typed only where every kind is alike. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  /** RFC 3339. */
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  /** RFC 3339. */
  readonly creationTimestamp?: string;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly finalizers?: readonly string[];
}

/** `apiVersion` and `kind` are always set, also on items of a list, where the API server leaves them out. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ObjectRef extends KindRef {
  readonly name: string;
  /** Required for a namespaced kind, refused for a cluster-scoped one. */
  readonly namespace?: string;
}

/** The reference under which an object is read. */
export function refOf(object: KubeObject): ObjectRef {
  const { apiVersion, kind, metadata } = object;
  return metadata.namespace === undefined
    ? { apiVersion, kind, name: metadata.name }
    : { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
}

/** `apps/v1/Deployment`. */
export function kindName(kind: KindRef): string {
  return `${kind.apiVersion}/${kind.kind}`;
}

/** `apps/v1/Deployment/django-ray/django-web`, or `v1/Namespace/django-ray`. */
export function objectName(ref: ObjectRef): string {
  return [ref.apiVersion, ref.kind, ...(ref.namespace === undefined ? [] : [ref.namespace]), ref.name].join('/');
}
