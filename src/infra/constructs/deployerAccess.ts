import { Construct } from 'constructs';
import { deployerName, inventoryAnnotation } from '../enforce/deployer.js';
import type { DeployerRules } from '../enforce/deployerRules.js';
import {
  KubeClusterRole,
  KubeClusterRoleBinding,
  KubeRole,
  KubeRoleBinding,
  KubeServiceAccount,
} from '../imports/kubernetes.js';
import { stackNamespace } from '../names.js';
import { clusterMeta, objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { policyRules } from './policyRules.js';

export interface DeployerAccessProps {
  readonly rules: DeployerRules;
  /** Identities that the account may delete: noted on its Role. */
  readonly inventory: readonly string[];
}

const phase = 'prerequisite';
const subject = { kind: 'ServiceAccount', name: deployerName, namespace: stackNamespace };

/** The account that a deployment acts as, without a token of its own, and what it may do. */
export class DeployerAccess extends Construct {
  constructor(scope: Construct, id: string, { rules, inventory }: DeployerAccessProps) {
    super(scope, id);
    const apiGroup = 'rbac.authorization.k8s.io';
    const manifests = {
      account: KubeServiceAccount.manifest({
        metadata: objectMeta(deployerName),
        automountServiceAccountToken: false,
      }),
      role: KubeRole.manifest({
        metadata: objectMeta(deployerName, { annotations: { [inventoryAnnotation]: inventory.join(' ') } }),
        rules: policyRules(rules.namespaced),
      }),
      binding: KubeRoleBinding.manifest({
        metadata: objectMeta(deployerName),
        roleRef: { apiGroup, kind: 'Role', name: deployerName },
        subjects: [subject],
      }),
      'cluster-role': KubeClusterRole.manifest({
        metadata: clusterMeta(deployerName),
        rules: policyRules(rules.cluster),
      }),
      'cluster-binding': KubeClusterRoleBinding.manifest({
        metadata: clusterMeta(deployerName),
        roleRef: { apiGroup, kind: 'ClusterRole', name: deployerName },
        subjects: [subject],
      }),
    };
    for (const [part, manifest] of Object.entries(manifests)) new PlannedApiObject(this, part, { phase, manifest });
  }
}
