import type { Identity } from './identity.js';

export interface Placement {
  readonly namespace: string;
  /** `apiVersion/Kind` of the cluster-scoped kinds allowed beside the Namespace. Default: none. */
  readonly clusterKinds?: readonly string[];
}

/** Every object lies in the one namespace; outside of namespaces stand that Namespace and the kinds on the allow list. */
export function placementProblems(identity: Identity, { namespace, clusterKinds = [] }: Placement): readonly string[] {
  const { apiVersion, kind, name, scope } = identity;
  if (scope === undefined)
    return [`its kind ${apiVersion} ${kind} is not in the table of kinds, so its scope is unknown`];
  if (scope === 'namespaced') {
    if (identity.namespace === undefined) return [`states no namespace: it must be ${namespace}`];
    if (identity.namespace !== namespace) return [`lies in namespace ${identity.namespace}: it must be ${namespace}`];
    return [];
  }
  const problems: string[] = [];
  if (identity.namespace !== undefined) problems.push(`states namespace ${identity.namespace}, but its kind has none`);
  if (kind !== 'Namespace' || apiVersion !== 'v1') {
    if (!clusterKinds.includes(`${apiVersion}/${kind}`))
      problems.push(`is cluster-scoped: only ${['the Namespace', ...clusterKinds].join(', ')} may be`);
  } else if (name !== namespace) problems.push(`is another Namespace: only ${namespace} is ours`);
  return problems;
}
