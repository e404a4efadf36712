import type { PolicyRule as DeclaredRule } from '../../api/access/policyRule.js';
import type { PolicyRule } from '../imports/kubernetes.js';

/** Rules of `api/` as the generated kinds take them. */
export function policyRules(rules: readonly DeclaredRule[]): PolicyRule[] {
  return rules.map(({ apiGroups, resources, resourceNames, verbs }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames ? { resourceNames: [...resourceNames] } : {}),
    verbs: [...verbs],
  }));
}
