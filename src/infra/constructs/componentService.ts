import { Construct } from 'constructs';
import { IntOrString, KubeService } from '../imports/kubernetes.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface ComponentServiceProps {
  readonly name: string;
  /** Labels of the pods behind it: a set that no other component's pods carry. */
  readonly selector: Readonly<Record<string, string>>;
  readonly port: number;
  /** Port of the container. Default: `port`. */
  readonly targetPort?: number;
  /** Port on every node, 30000 to 32767. Default: none, and the Service is reachable inside the cluster only. */
  readonly nodePort?: number;
}

/** One port of one component. */
export class ComponentService extends Construct {
  constructor(scope: Construct, id: string, props: ComponentServiceProps) {
    super(scope, id);
    const { name, selector, port, targetPort = port, nodePort } = props;
    if (nodePort !== undefined && (nodePort < 30000 || nodePort > 32767))
      throw new Error(`${this.node.path}: nodePort ${nodePort} of Service ${name} must be 30000 to 32767`);
    new PlannedApiObject(this, 'service', {
      phase: 'prerequisite',
      manifest: KubeService.manifest({
        metadata: objectMeta(name),
        spec: {
          type: nodePort === undefined ? 'ClusterIP' : 'NodePort',
          selector,
          ports: [
            {
              name: 'http',
              protocol: 'TCP',
              port,
              targetPort: IntOrString.fromNumber(targetPort),
              ...(nodePort === undefined ? {} : { nodePort }),
            },
          ],
        },
      }),
    });
  }
}
