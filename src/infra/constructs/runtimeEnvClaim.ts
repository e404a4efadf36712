import { Construct } from 'constructs';
import { KubePersistentVolumeClaim } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface RuntimeEnvClaimProps {
  /** `RWX`: nodes share the archives. `RWO`: one node only, for storage that cannot share (kind's local-path). */
  readonly access: 'RWX' | 'RWO';
}

/** Storage of the RuntimeEnv archives: the setup Job writes, Ray pods read. 256Mi hold about a hundred of 2.4 MB. */
export class RuntimeEnvClaim extends Construct {
  constructor(scope: Construct, id: string, props: RuntimeEnvClaimProps) {
    super(scope, id);
    new PlannedApiObject(this, 'claim', {
      phase: 'prerequisite',
      manifest: KubePersistentVolumeClaim.manifest({
        metadata: objectMeta(names.runtimeEnvClaim),
        spec: {
          accessModes: [props.access === 'RWX' ? 'ReadWriteMany' : 'ReadWriteOnce'],
          resources: { requests: { storage: '256Mi' } },
        },
      }),
    });
  }
}
