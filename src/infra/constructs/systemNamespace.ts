import { Construct } from 'constructs';
import { KubeNamespace } from '../imports/kubernetes.js';
import { controllerLabels } from './controllerMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface SystemNamespaceProps {
  readonly name: string;
}

/** The namespace of the workspaces and of their controller. Its pods must keep the strictest of the pod security standards. */
export class SystemNamespace extends Construct {
  constructor(scope: Construct, id: string, props: SystemNamespaceProps) {
    super(scope, id);
    new PlannedApiObject(this, 'namespace', {
      phase: 'prerequisite',
      manifest: KubeNamespace.manifest({
        metadata: {
          name: props.name,
          labels: { ...controllerLabels, 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      }),
    });
  }
}
