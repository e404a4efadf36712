import type { Manifest } from '../plannedObject.js';

export interface AccessSurroundings {
  readonly namespace: string;
  /** Identities of the whole inventory. */
  readonly identities: ReadonlySet<string>;
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A binding joins a role and service accounts of the inventory; a role names what it gives, without wildcards. */
export function accessProblems(manifest: Manifest, around: AccessSurroundings): readonly string[] {
  switch (manifest['kind']) {
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return bindingProblems(manifest, around);
    case 'Role':
    case 'ClusterRole':
      return roleProblems(manifest);
    default:
      return [];
  }
}

function bindingProblems(manifest: Manifest, { namespace, identities }: AccessSurroundings): string[] {
  const problems: string[] = [];
  const role = (manifest['roleRef'] ?? {}) as { readonly kind?: string; readonly name?: string };
  const place = role.kind === 'ClusterRole' ? role.name : `${namespace}/${role.name}`;
  if (!identities.has(`rbac.authorization.k8s.io/v1/${role.kind}/${place}`))
    problems.push(`roleRef ${role.kind}/${role.name} is outside the inventory`);
  for (const subject of (manifest['subjects'] ?? []) as readonly Subject[]) {
    const inside =
      subject.kind === 'ServiceAccount' &&
      subject.namespace === namespace &&
      identities.has(`v1/ServiceAccount/${namespace}/${subject.name}`);
    if (!inside) {
      const place = subject.namespace === undefined ? '' : `${subject.namespace}/`;
      problems.push(`subject ${subject.kind} ${place}${subject.name} is outside the inventory`);
    }
  }
  return problems;
}

function roleProblems(manifest: Manifest): string[] {
  const rules = (manifest['rules'] ?? []) as readonly Readonly<Record<string, readonly string[] | undefined>>[];
  return rules.flatMap((rule, index) =>
    ['apiGroups', 'resources', 'verbs']
      .filter((field) => rule[field]?.includes('*'))
      .map((field) => `rules[${index}].${field} holds "*": name what is needed`),
  );
}
