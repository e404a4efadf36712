import { Construct } from 'constructs';
import { type Container, IntOrString, KubeDeployment, type Probe, type VolumeMount } from '../imports/kubernetes.js';
import { names, webHost } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { applicationContainer, applicationPod } from './applicationPod.js';
import { ComponentService } from './componentService.js';
import { configDigestAnnotation } from './contentDigest.js';
import { plainEnvironment, secretEnvironment } from './environment.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { waitForPostgres } from './waitForPort.js';

export interface WebProps {
  readonly releaseTag: string;
  readonly profile: Profile;
  readonly configDigest: string;
}

const selector = { app: 'django-ray', component: 'web' };
const staticFiles: VolumeMount = { name: 'static-files', mountPath: '/app/staticfiles' };

/** The web application: gunicorn behind one Service. Migration and static files come before it in every pod. */
export class Web extends Construct {
  constructor(scope: Construct, id: string, props: WebProps) {
    super(scope, id);
    const { profile, configDigest } = props;
    new PlannedApiObject(this, 'deployment', {
      phase: 'workload',
      manifest: KubeDeployment.manifest({
        metadata: objectMeta(names.web, { labels: selector }),
        spec: {
          replicas: 1,
          selector: { matchLabels: selector },
          template: {
            metadata: {
              labels: { ...ownershipLabels, ...selector },
              annotations: { [configDigestAnnotation]: configDigest },
            },
            spec: applicationPod({
              initContainers: [waitForPostgres(profile.resources.wait), migrations(props), staticCollection(props)],
              container: server(props),
              volumes: [{ name: staticFiles.name, emptyDir: {} }],
            }),
          },
        },
      }),
    });
    new ComponentService(this, 'service', {
      name: names.webService,
      selector,
      port: ports.webService,
      targetPort: ports.web,
      nodePort: nodePorts.web,
    });
  }
}

function migrations({ releaseTag, profile }: WebProps): Container {
  const env = secretEnvironment('DATABASE_USER', 'DATABASE_PASSWORD');
  const { application: resources } = profile.resources;
  return applicationContainer({ name: 'run-migrations', releaseTag, args: ['migrate'], env, resources });
}

function staticCollection({ releaseTag, profile }: WebProps): Container {
  const { application: resources } = profile.resources;
  return applicationContainer({
    name: 'collect-static',
    releaseTag,
    args: ['collectstatic'],
    resources,
    mounts: [staticFiles],
  });
}

function server({ releaseTag, profile }: WebProps): Container {
  return {
    ...applicationContainer({
      name: names.web,
      releaseTag,
      args: ['web'],
      env: [
        ...plainEnvironment({ GUNICORN_WORKERS: 2, GUNICORN_THREADS: 4, RAYGATE_RELEASE: releaseTag }),
        ...secretEnvironment('DJANGO_SECRET_KEY', 'DJANGO_API_TOKEN', 'DATABASE_USER', 'DATABASE_PASSWORD'),
      ],
      resources: profile.resources.application,
      mounts: [staticFiles],
    }),
    ports: [{ name: 'http', containerPort: ports.web, protocol: 'TCP' }],
    startupProbe: health({ periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 }),
    readinessProbe: health({ periodSeconds: 5, timeoutSeconds: 5 }),
    livenessProbe: health({ periodSeconds: 10, timeoutSeconds: 5 }),
  };
}

/** With an allowed Host header: kubelet would send the pod's address, which Django refuses. */
function health(timing: Probe): Probe {
  const httpHeaders = [{ name: 'Host', value: webHost }];
  return { httpGet: { path: '/api/health', port: IntOrString.fromNumber(ports.web), httpHeaders }, ...timing };
}
