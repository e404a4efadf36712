import { Construct } from 'constructs';
import { clusterQueueReaderRules, drainingResearcherRules, researcherRules } from '../../api/access/handedOut.js';
import { workspaceRoleNames } from '../../api/names.js';
import { KubeClusterRole } from '../imports/kubernetes.js';
import { controllerMeta } from './controllerMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { policyRules } from './policyRules.js';

const rules = {
  researcher: researcherRules,
  drainingResearcher: drainingResearcherRules,
  clusterQueueReader: clusterQueueReaderRules,
} as const satisfies Readonly<Record<keyof typeof workspaceRoleNames, unknown>>;

/** The ClusterRoles that the controller binds for the people of a workspace. */
export class WorkspaceRoles extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    for (const role of Object.keys(workspaceRoleNames) as (keyof typeof workspaceRoleNames)[])
      new PlannedApiObject(this, role, {
        phase: 'prerequisite',
        manifest: KubeClusterRole.manifest({
          metadata: controllerMeta(workspaceRoleNames[role]),
          rules: policyRules(rules[role]),
        }),
      });
  }
}
