import { Construct } from 'constructs';
import { type AccessRole, accessRoles, declaredAccess } from '../../api/access/declaredAccess.js';
import { rulesOf } from '../../api/access/rulesOf.js';
import { controllerName } from '../../api/names.js';
import {
  KubeClusterRole,
  KubeClusterRoleBinding,
  KubeRole,
  KubeRoleBinding,
  KubeServiceAccount,
} from '../imports/kubernetes.js';
import { controllerMeta } from './controllerMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { policyRules } from './policyRules.js';

export interface ControllerAccessProps {
  readonly systemNamespace: string;
}

/** Bindings come before what runs under them, where something applies the objects in waves. */
const early = { annotations: { 'argocd.argoproj.io/sync-wave': '-1' } };

/** The controller's account and its three roles, each with the rules that follow from the declared reads and writes. */
export class ControllerAccess extends Construct {
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ControllerAccessProps,
  ) {
    super(scope, id);
    const { systemNamespace } = props;
    new PlannedApiObject(this, 'account', {
      phase: 'prerequisite',
      manifest: KubeServiceAccount.manifest({
        metadata: controllerMeta(controllerName, systemNamespace),
        // The Deployment asks for its token itself.
        automountServiceAccountToken: false,
      }),
    });
    this.clusterRole();
    this.role('leaderElection');
    this.role('platformRbac');
  }

  private clusterRole(): void {
    const name = accessRoles.core;
    new PlannedApiObject(this, 'cluster-role', {
      phase: 'prerequisite',
      manifest: KubeClusterRole.manifest({
        metadata: controllerMeta(name),
        rules: policyRules(rulesOf('core', declaredAccess)),
      }),
    });
    new PlannedApiObject(this, 'cluster-binding', {
      phase: 'prerequisite',
      manifest: KubeClusterRoleBinding.manifest({
        metadata: controllerMeta(name, undefined, early),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [this.subject()],
      }),
    });
  }

  private role(role: Exclude<AccessRole, 'core'>): void {
    const name = accessRoles[role];
    const { systemNamespace } = this.props;
    new PlannedApiObject(this, `${role}-role`, {
      phase: 'prerequisite',
      manifest: KubeRole.manifest({
        metadata: controllerMeta(name, systemNamespace),
        rules: policyRules(rulesOf(role, declaredAccess)),
      }),
    });
    new PlannedApiObject(this, `${role}-binding`, {
      phase: 'prerequisite',
      manifest: KubeRoleBinding.manifest({
        metadata: controllerMeta(name, systemNamespace, early),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [this.subject()],
      }),
    });
  }

  private subject() {
    return { kind: 'ServiceAccount', name: controllerName, namespace: this.props.systemNamespace };
  }
}
