import { Construct } from 'constructs';
import type { AdmissionRules } from '../enforce/admissionRules.js';
import { deployerName } from '../enforce/deployer.js';
import { KubeValidatingAdmissionPolicy, KubeValidatingAdmissionPolicyBinding } from '../imports/kubernetes.js';
import { clusterMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface DeployerPolicyProps {
  readonly rules: AdmissionRules;
}

const phase = 'prerequisite';

/** Refuses each write of the deployer's account that the plan does not name. No request of anybody else is looked into. */
export class DeployerPolicy extends Construct {
  constructor(scope: Construct, id: string, { rules }: DeployerPolicyProps) {
    super(scope, id);
    new PlannedApiObject(this, 'policy', {
      phase,
      manifest: KubeValidatingAdmissionPolicy.manifest({
        metadata: clusterMeta(deployerName),
        spec: {
          failurePolicy: 'Fail',
          // All kinds, since one that is left out would be free; the condition on the user's name comes before any of the rest.
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['*'],
                apiVersions: ['*'],
                resources: ['*/*'],
                operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
                scope: '*',
              },
            ],
          },
          matchConditions: [...rules.matchConditions],
          variables: [...rules.variables],
          validations: [...rules.validations],
        },
      }),
    });
    new PlannedApiObject(this, 'binding', {
      phase,
      manifest: KubeValidatingAdmissionPolicyBinding.manifest({
        metadata: clusterMeta(deployerName),
        spec: { policyName: deployerName, validationActions: ['Deny'] },
      }),
    });
  }
}
