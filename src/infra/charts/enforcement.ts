import { App, Chart } from 'cdk8s';
import { DeployerAccess } from '../constructs/deployerAccess.js';
import { DeployerPolicy } from '../constructs/deployerPolicy.js';
import { admissionRules } from '../enforce/admissionRules.js';
import { appliedObject, appliedPart } from '../enforce/appliedObjects.js';
import type { Confined } from '../enforce/confined.js';
import { deployerRules } from '../enforce/deployerRules.js';
import type { PlannedObject } from '../plannedObject.js';
import { plannedObjects } from './plannedObjects.js';

/** Cluster-scoped kinds of the enforcement: the allow list for its inventory. */
export const enforcementClusterKinds = [
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
  'rbac.authorization.k8s.io/v1/ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
] as const;

/** The second inventory: the account that applies the first one and nothing else. It is set up with the user's own rights. */
export function synthEnforcement(confined: Confined): readonly PlannedObject[] {
  const chart = new Chart(new App(), 'enforcement', { disableResourceNameHashes: true });
  new DeployerAccess(chart, 'access', { rules: deployerRules(confined), inventory: deletable(confined) });
  new DeployerPolicy(chart, 'policy', { rules: admissionRules(confined) });
  return plannedObjects(chart);
}

/** What a later inventory may have to delete. */
function deletable({ objects, retired }: Confined): readonly string[] {
  const own = appliedPart(objects).map(({ identity }) => identity);
  return [...own.filter((identity) => !appliedObject(identity).kept), ...retired].sort();
}
