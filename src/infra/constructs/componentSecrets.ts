import { Construct } from 'constructs';
import { KubeSecret } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

/**
 * Stands for the Secret that `raygate credentials` makes: rendered without values, so that manifests say that it must exist,
 * and never applied.
 */
export class ComponentSecrets extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new PlannedApiObject(this, 'secret', {
      phase: 'preserved',
      manifest: KubeSecret.manifest({ metadata: objectMeta(names.secret), type: 'Opaque' }),
    });
  }
}
