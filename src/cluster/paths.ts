import { ClusterError } from './clusterError.js';
import { type KindRef, kindName, type ObjectRef, objectName } from './objects.js';
import type { ServedKind } from './servedKind.js';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path of a kind's objects: of one namespace, or of all. Throws `ClusterError` (`invalid`). */
export function collectionPath(served: ServedKind, kind: KindRef, namespace: string | undefined): string {
  if (namespace === undefined) return `${served.groupPath}/${served.plural}`;
  if (!served.namespaced) throw invalid(`${kindName(kind)} has no namespaces, so it cannot be read in ${namespace}`);
  return `${served.groupPath}/namespaces/${segment(namespace)}/${served.plural}`;
}

/** The path of one object. A namespaced kind needs its namespace, another must have none. Throws `ClusterError` (`invalid`). */
export function objectPath(served: ServedKind, ref: ObjectRef, subresource?: string): string {
  if (served.namespaced && ref.namespace === undefined) throw invalid(`${objectName(ref)} needs a namespace`);
  const path = `${collectionPath(served, ref, ref.namespace)}/${segment(ref.name)}`;
  return subresource === undefined ? path : `${path}/${segment(subresource)}`;
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const pairs = given.map(([name, value]) => [name, String(value)] as [string, string]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Kubernetes' own rule for a name in a path. */
export function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) {
    throw invalid(`${JSON.stringify(name)} cannot be a Kubernetes name`);
  }
  return encodeURIComponent(name);
}

function invalid(message: string): ClusterError {
  return new ClusterError({ code: 'invalid', message });
}
