import { Construct } from 'constructs';
import { KubeNamespace } from '../imports/kubernetes.js';
import { stackNamespace } from '../names.js';
import { ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

/** The stack's namespace: the one cluster-scoped object. It exists before the first deployment and outlives the stack. */
export class StackNamespace extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new PlannedApiObject(this, 'namespace', {
      phase: 'prerequisite',
      manifest: KubeNamespace.manifest({ metadata: { name: stackNamespace, labels: ownershipLabels } }),
    });
  }
}
