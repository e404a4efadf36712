import { Construct } from 'constructs';
import { KubeIngress } from '../imports/kubernetes.js';
import { names, webHost } from '../names.js';
import { ports } from '../ports.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

/** The web application under its host name, for clusters that run Traefik. Nothing of the gate rests on it. */
export class WebIngress extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const service = { name: names.webService, port: { number: ports.webService } };
    new PlannedApiObject(this, 'ingress', {
      phase: 'prerequisite',
      manifest: KubeIngress.manifest({
        metadata: objectMeta(names.ingress, { annotations: { 'kubernetes.io/ingress.class': 'traefik' } }),
        spec: {
          rules: [{ host: webHost, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }],
        },
      }),
    });
  }
}
