import { Construct } from 'constructs';
import { images } from '../images.js';
import { KubeDeployment, KubePersistentVolumeClaim, type Probe } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { ComponentService } from './componentService.js';
import { plainEnvironment, secretEnvironment } from './environment.js';
import { isolatedPod, sealedContainer, userIds } from './hardening.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface PostgresProps {
  readonly profile: Profile;
}

const selector = { app: 'postgres' };
const dataFolder = '/var/lib/postgresql/data';

/** The database, on a claim of its own that outlives the stack. One pod at a time: the claim has one writer. */
export class Postgres extends Construct {
  constructor(scope: Construct, id: string, props: PostgresProps) {
    super(scope, id);
    new PlannedApiObject(this, 'claim', {
      phase: 'prerequisite',
      manifest: KubePersistentVolumeClaim.manifest({
        metadata: objectMeta(names.postgresClaim),
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
    });
    new PlannedApiObject(this, 'deployment', {
      phase: 'prerequisite',
      manifest: KubeDeployment.manifest({
        metadata: objectMeta(names.postgres, { labels: selector }),
        spec: {
          replicas: 1,
          strategy: { type: 'Recreate' },
          selector: { matchLabels: selector },
          template: { metadata: { labels: { ...ownershipLabels, ...selector } }, spec: pod(props.profile) },
        },
      }),
    });
    new ComponentService(this, 'service', { name: names.postgresService, selector, port: ports.postgres });
  }
}

function pod(profile: Profile) {
  return {
    ...isolatedPod(userIds.postgres),
    containers: [
      {
        name: 'postgres',
        image: images.postgres,
        imagePullPolicy: 'IfNotPresent',
        ports: [{ name: 'postgres', containerPort: ports.postgres, protocol: 'TCP' }],
        env: [
          ...secretEnvironment('POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'),
          // A folder below the mount: a volume's root may hold lost+found, and may belong to another user.
          ...plainEnvironment({ PGDATA: `${dataFolder}/pgdata` }),
        ],
        resources: resourceRequirements(profile.resources.postgres),
        securityContext: sealedContainer,
        startupProbe: accepts({ periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 }),
        readinessProbe: accepts({ periodSeconds: 5, timeoutSeconds: 5 }),
        livenessProbe: accepts({ periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }),
        volumeMounts: [
          { name: 'data', mountPath: dataFolder },
          { name: 'run', mountPath: '/var/run/postgresql' },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: names.postgresClaim } },
      { name: 'run', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
    ],
  };
}

/** Over TCP: while the image initialises, its server listens on the socket only, and would pass for ready. */
function accepts(timing: Probe): Probe {
  return { exec: { command: ['pg_isready', '-U', 'django_ray', '-h', '127.0.0.1'] }, ...timing };
}
