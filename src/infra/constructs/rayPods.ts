import { images } from '../images.js';
import type { Container, PodTemplateSpec, VolumeMount } from '../imports/kubernetes.js';
import { names, rayContainers, runtimeEnvFolder } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { dashboardImportFile } from './dashboardImportScript.js';
import { plainEnvironment } from './environment.js';
import { isolatedPod, rayGroupId, sealedContainer, unprivilegedContainer, userIds } from './hardening.js';
import { resourceRequirements } from './resourceRequirements.js';

const runtimeEnv = { name: 'runtime-env', persistentVolumeClaim: { claimName: names.runtimeEnvClaim, readOnly: true } };
const runtimeEnvMount: VolumeMount = { name: 'runtime-env', mountPath: runtimeEnvFolder, readOnly: true };

/** How Prometheus finds the metrics of a Ray pod. */
const scrapeAnnotations = {
  'prometheus.io/scrape': 'true',
  'prometheus.io/port': String(ports.rayMetrics),
  'prometheus.io/path': '/metrics',
};

/**
 * The head: Ray first, the dashboard importer second. Ray pods get no Secret and no configuration of the application: all that
 * a task needs comes with its archive.
 */
export function rayHeadTemplate(profile: Profile): PodTemplateSpec {
  const head: Container = {
    name: rayContainers.head,
    image: images.ray,
    imagePullPolicy: 'IfNotPresent',
    ports: [
      { name: 'gcs', containerPort: ports.rayGcs, protocol: 'TCP' },
      { name: 'dashboard', containerPort: ports.rayDashboard, protocol: 'TCP' },
      { name: 'client', containerPort: ports.rayClient, protocol: 'TCP' },
      { name: 'metrics', containerPort: ports.rayMetrics, protocol: 'TCP' },
    ],
    env: plainEnvironment({
      RAY_DASHBOARD_HOST: '0.0.0.0',
      RAY_METRICS_EXPORT_PORT: ports.rayMetrics,
      RAY_PROMETHEUS_HOST: `http://${names.prometheusService}:${ports.prometheus}`,
      RAY_GRAFANA_HOST: `http://${names.grafanaService}:${ports.grafana}`,
      RAY_GRAFANA_IFRAME_HOST: `http://localhost:${nodePorts.grafana}`,
      RAY_PROMETHEUS_NAME: 'Prometheus',
    }),
    resources: resourceRequirements(profile.resources.rayHead),
    securityContext: unprivilegedContainer,
    volumeMounts: [{ name: 'ray-tmp', mountPath: '/tmp/ray' }, runtimeEnvMount],
  };
  return {
    metadata: { labels: { app: 'ray', component: 'head' }, annotations: scrapeAnnotations },
    spec: {
      ...isolatedPod(userIds.ray, rayGroupId),
      containers: [head, dashboardImporter(profile)],
      volumes: [
        { name: 'ray-tmp', emptyDir: {} },
        runtimeEnv,
        { name: 'import-script', configMap: { name: names.dashboardImportScript, defaultMode: 0o755 } },
      ],
    },
  };
}

/** It has no probe and never ends by itself: the head's readiness does not depend on Grafana. */
function dashboardImporter(profile: Profile): Container {
  return {
    name: 'dashboard-importer',
    image: images.python,
    imagePullPolicy: 'IfNotPresent',
    command: ['python3', `/scripts/${dashboardImportFile}`],
    resources: resourceRequirements(profile.resources.dashboardImporter),
    securityContext: sealedContainer,
    volumeMounts: [
      { name: 'ray-tmp', mountPath: '/tmp/ray', readOnly: true },
      { name: 'import-script', mountPath: '/scripts', readOnly: true },
    ],
  };
}

/** A worker. KubeRay 1.6.2 adds its one init container and refuses the contract if another is declared here. */
export function rayWorkerTemplate(profile: Profile): PodTemplateSpec {
  const worker: Container = {
    name: rayContainers.worker,
    image: images.ray,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ name: 'metrics', containerPort: ports.rayMetrics, protocol: 'TCP' }],
    env: plainEnvironment({
      RAY_PROMETHEUS_HOST: '0.0.0.0',
      RAY_METRICS_EXPORT_PORT: ports.rayMetrics,
    }),
    resources: resourceRequirements(profile.resources.rayWorker),
    securityContext: unprivilegedContainer,
    volumeMounts: [runtimeEnvMount],
  };
  return {
    metadata: { labels: { app: 'ray', component: 'worker' }, annotations: scrapeAnnotations },
    spec: {
      ...isolatedPod(userIds.ray, rayGroupId),
      containers: [worker],
      volumes: [runtimeEnv],
    },
  };
}
