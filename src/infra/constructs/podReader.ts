import { Construct } from 'constructs';
import { KubeRole, KubeRoleBinding } from '../imports/kubernetes.js';
import { stackNamespace } from '../names.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface PodReaderProps {
  /** Of the Role and of its RoleBinding. */
  readonly name: string;
  readonly serviceAccount: string;
}

/** Leave to read the pods of the stack's namespace, for one of its service accounts, and nothing else. */
export class PodReader extends Construct {
  constructor(scope: Construct, id: string, props: PodReaderProps) {
    super(scope, id);
    const { name, serviceAccount } = props;
    new PlannedApiObject(this, 'role', {
      phase: 'prerequisite',
      manifest: KubeRole.manifest({
        metadata: objectMeta(name),
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
      }),
    });
    new PlannedApiObject(this, 'binding', {
      phase: 'prerequisite',
      manifest: KubeRoleBinding.manifest({
        metadata: objectMeta(name),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace: stackNamespace }],
      }),
    });
  }
}
