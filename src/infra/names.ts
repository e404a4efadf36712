/** The one namespace of the stack. */
export const stackNamespace = 'django-ray';

/** Names that more than one construct, or the gate, refers to. */
export const names = {
  config: 'django-ray-config',
  secret: 'django-ray-secret',
  setupJob: 'django-setup',
  web: 'django-web',
  webService: 'django-web-svc',
  postgres: 'postgres',
  postgresService: 'postgres-svc',
  postgresClaim: 'postgres-pvc',
  runtimeEnvClaim: 'runtime-env-pvc',
  prometheus: 'prometheus',
  prometheusConfig: 'prometheus-config',
  prometheusService: 'prometheus-svc',
  grafana: 'grafana',
  grafanaService: 'grafana-svc',
  dashboardImportScript: 'grafana-dashboard-import-script',
  rayCluster: 'ray',
  /** Not rendered: KubeRay makes it for the head of RayCluster `ray`. */
  rayHeadService: 'ray-head-svc',
  rayDashboardService: 'ray-dashboard-svc',
  ingress: 'django-ray-ingress',
} as const;

/** In each Ray pod, the container that Ray itself runs in. */
export const rayContainers = { head: 'ray-head', worker: 'ray-worker' } as const;

/** Host of the web application, in the Ingress and in the probes' Host header. */
export const webHost = 'django-ray.localhost';

/** Where the RuntimeEnv claim is mounted: one path in every pod, since the archive's URI names it. */
export const runtimeEnvFolder = '/runtime-env';
