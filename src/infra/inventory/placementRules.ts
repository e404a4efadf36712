import type { Identity } from './identity.js';

/** Every object lies in the stack's namespace; the Namespace itself is the only object outside of namespaces. */
export function placementProblems(identity: Identity, namespace: string): readonly string[] {
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
  if (kind !== 'Namespace' || apiVersion !== 'v1') problems.push('is cluster-scoped: only the Namespace may be');
  else if (name !== namespace) problems.push(`is another Namespace: only ${namespace} is ours`);
  return problems;
}
