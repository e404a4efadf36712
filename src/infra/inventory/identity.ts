import type { Manifest, Scope } from '../plannedObject.js';
import { kindFacts } from './kinds.js';

export interface Identity {
  readonly identity: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** As stated, whatever the scope. */
  readonly namespace: string | undefined;
  /** Of the kind, by the table; undefined when the table does not know it. */
  readonly scope: Scope | undefined;
}

/** What identifies an object, or what it lacks. The identity holds the namespace only where the kind has one. */
export function identify(manifest: Manifest): Identity | { readonly lacks: string } {
  const { apiVersion, kind } = manifest;
  const metadata = manifest['metadata'];
  if (!isText(apiVersion)) return { lacks: 'apiVersion' };
  if (!isText(kind)) return { lacks: 'kind' };
  const { name, namespace } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Record<
    string,
    unknown
  >;
  if (!isText(name)) return { lacks: 'metadata.name' };
  if (namespace !== undefined && !isText(namespace)) return { lacks: 'a metadata.namespace that is text' };
  const scope = kindFacts(apiVersion, kind)?.scope;
  const place = scope === 'cluster' ? name : `${namespace ?? '(no namespace)'}/${name}`;
  return { identity: `${apiVersion}/${kind}/${place}`, apiVersion, kind, name, namespace, scope };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
