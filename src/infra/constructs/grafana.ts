import { Construct } from 'constructs';
import { stringify } from 'yaml';
import { images } from '../images.js';
import { IntOrString, KubeConfigMap, KubeDeployment, type PodSpec, type Probe } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { ComponentService } from './componentService.js';
import { configDigestAnnotation, contentDigest } from './contentDigest.js';
import { dashboardImportFile, dashboardImportScript } from './dashboardImportScript.js';
import { plainEnvironment, secretVariable } from './environment.js';
import { isolatedPod, sealedContainer, userIds } from './hardening.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { rayDashboardModel } from './rayDashboardModel.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface GrafanaProps {
  readonly profile: Profile;
}

const selector = { app: 'grafana' };
const dashboardsFolder = '/var/lib/grafana/dashboards';

/** ConfigMaps by name, with the folder that each is mounted at in the Grafana pod; the import script goes to the Ray head. */
const configMaps = {
  'grafana-datasources': {
    'datasources.yaml': stringify({
      apiVersion: 1,
      datasources: [
        {
          name: 'Prometheus',
          uid: 'prometheus',
          type: 'prometheus',
          access: 'proxy',
          url: `http://${names.prometheusService}:${ports.prometheus}`,
          isDefault: true,
        },
      ],
    }),
  },
  'grafana-dashboards-provider': {
    'provider.yaml': stringify({
      apiVersion: 1,
      providers: [{ name: 'django-ray', type: 'file', options: { path: dashboardsFolder } }],
    }),
  },
  'grafana-dashboards': { 'ray-cluster.json': `${JSON.stringify(rayDashboardModel(), undefined, 2)}\n` },
  [names.dashboardImportScript]: { [dashboardImportFile]: dashboardImportScript },
};

/** Grafana with its data source and bundled dashboard. No verdict of the gate rests on it. */
export class Grafana extends Construct {
  constructor(scope: Construct, id: string, props: GrafanaProps) {
    super(scope, id);
    for (const [name, data] of Object.entries(configMaps))
      new PlannedApiObject(this, name, {
        phase: 'prerequisite',
        manifest: KubeConfigMap.manifest({ metadata: objectMeta(name), data }),
      });
    const digest = contentDigest({
      ...configMaps['grafana-datasources'],
      ...configMaps['grafana-dashboards-provider'],
    });
    new PlannedApiObject(this, 'deployment', {
      phase: 'prerequisite',
      manifest: KubeDeployment.manifest({
        metadata: objectMeta(names.grafana, { labels: selector }),
        spec: {
          replicas: 1,
          selector: { matchLabels: selector },
          template: {
            metadata: {
              labels: { ...ownershipLabels, ...selector },
              annotations: { [configDigestAnnotation]: digest },
            },
            spec: pod(props.profile),
          },
        },
      }),
    });
    const service = { name: names.grafanaService, selector, port: ports.grafana, nodePort: nodePorts.grafana };
    new ComponentService(this, 'service', service);
  }
}

function pod(profile: Profile): PodSpec {
  return {
    ...isolatedPod(userIds.grafana),
    containers: [
      {
        name: 'grafana',
        image: images.grafana,
        imagePullPolicy: 'IfNotPresent',
        ports: [{ name: 'http', containerPort: ports.grafana, protocol: 'TCP' }],
        env: [
          secretVariable('GF_SECURITY_ADMIN_PASSWORD', 'GRAFANA_ADMIN_PASSWORD'),
          ...plainEnvironment({
            GF_SECURITY_ADMIN_USER: 'admin',
            GF_USERS_ALLOW_SIGN_UP: 'false',
            GF_AUTH_DISABLE_LOGIN_FORM: 'false',
            GF_AUTH_ANONYMOUS_ENABLED: 'true',
            // Enough for Ray's pages to embed graphs and for the importer beside the Ray head, which holds no secret.
            GF_AUTH_ANONYMOUS_ORG_ROLE: 'Editor',
            GF_SECURITY_ALLOW_EMBEDDING: 'true',
            GF_SECURITY_COOKIE_SAMESITE: 'disabled',
          }),
        ],
        resources: resourceRequirements(profile.resources.grafana),
        securityContext: sealedContainer,
        startupProbe: health({ periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 }),
        readinessProbe: health({ periodSeconds: 5, timeoutSeconds: 5 }),
        livenessProbe: health({ periodSeconds: 15, timeoutSeconds: 5 }),
        volumeMounts: [
          { name: 'data', mountPath: '/var/lib/grafana' },
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'datasources', mountPath: '/etc/grafana/provisioning/datasources', readOnly: true },
          { name: 'provider', mountPath: '/etc/grafana/provisioning/dashboards', readOnly: true },
          { name: 'dashboards', mountPath: dashboardsFolder, readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      { name: 'datasources', configMap: { name: 'grafana-datasources' } },
      { name: 'provider', configMap: { name: 'grafana-dashboards-provider' } },
      { name: 'dashboards', configMap: { name: 'grafana-dashboards' } },
    ],
  };
}

function health(timing: Probe): Probe {
  return { httpGet: { path: '/api/health', port: IntOrString.fromNumber(ports.grafana) }, ...timing };
}
