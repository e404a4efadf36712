import { type Fields, fieldsAt, fieldsOf, listAt, textAt } from './fields.js';

/** The account of a pod that names none. */
export const defaultAccount = 'default';

/** The account of a pod's spec; `serviceAccount` is the old name of the field, which Kubernetes still honours. */
export function accountOf(podSpec: Fields): string {
  return textAt(podSpec, 'serviceAccountName') || textAt(podSpec, 'serviceAccount') || defaultAccount;
}

export function templateAccount(template: Fields): string {
  return accountOf(fieldsAt(template, 'spec'));
}

/** Without repetition, in one order, so that equal sets are equal lists. */
export function distinct(accounts: readonly string[]): readonly string[] {
  return accounts.length < 2 ? accounts : [...new Set(accounts)].sort();
}

const single = new Map<string, readonly string[]>();

/** The list of one account, the same one for as long as few are seen: an index holds very many of them. */
function justOne(account: string): readonly string[] {
  const known = single.get(account);
  if (known) return known;
  if (single.size >= 100) single.clear();
  const list = Object.freeze([account]);
  single.set(account, list);
  return list;
}

/** The accounts of a list of `{template}`: pod sets, replica groups. */
export function accountsOfTemplates(entries: readonly unknown[]): readonly string[] {
  const accountAt = (entry: unknown) => templateAccount(fieldsAt(fieldsOf(entry, 'entry'), 'template'));
  return entries.length === 1 ? justOne(accountAt(entries[0])) : distinct(entries.map(accountAt));
}

/**
 * The accounts of a RayCluster's spec. With in-tree autoscaling KubeRay 1.6.2 gives a head that names no account one of the cluster's name.
 */
export function rayAccounts(spec: Fields, clusterName: string): readonly string[] {
  const head = fieldsAt(fieldsAt(spec, 'headGroupSpec'), 'template');
  const named = textAt(fieldsAt(head, 'spec'), 'serviceAccountName') !== '';
  const ownHead = spec['enableInTreeAutoscaling'] === true && !named && clusterName !== '';
  return distinct([
    templateAccount(head),
    ...(ownHead ? [clusterName] : []),
    ...accountsOfTemplates(listAt(spec, 'workerGroupSpecs')),
  ]);
}

/** Every account named anywhere in an embedded object, and the one of pods that name none. */
export function accountsAnywhere(value: unknown): readonly string[] {
  const found = new Set([defaultAccount]);
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, inner] of Object.entries(each)) {
      if ((key === 'serviceAccountName' || key === 'serviceAccount') && typeof inner === 'string') found.add(inner);
      else left.push(inner);
    }
  }
  return [...found].sort();
}
