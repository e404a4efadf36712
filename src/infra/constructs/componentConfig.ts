import { Construct } from 'constructs';
import { KubeConfigMap } from '../imports/kubernetes.js';
import { names, runtimeEnvFolder, webHost } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import { contentDigest } from './contentDigest.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface ComponentConfigProps {
  /**
   * `file:///runtime-env/NAME.zip`: the archive that Ray nodes run tasks from. Ray caches by this URI, so the name carries what
   * is inside.
   */
  readonly archiveUri: string;
}

/** Configuration of the application: everything that is not secret. */
export class ComponentConfig extends Construct {
  /** For the pod templates that read it. */
  readonly digest: string;

  constructor(scope: Construct, id: string, props: ComponentConfigProps) {
    super(scope, id);
    const { archiveUri } = props;
    if (!archiveUri.startsWith(`file://${runtimeEnvFolder}/`) || !archiveUri.endsWith('.zip'))
      throw new Error(
        `${this.node.path}: archiveUri "${archiveUri}" must be file://${runtimeEnvFolder}/NAME.zip: Ray nodes mount only that folder`,
      );
    const data = {
      DJANGO_SETTINGS_MODULE: 'testproject.settings',
      DJANGO_DEPLOYMENT_MODE: 'demo',
      DJANGO_DEBUG: 'True',
      // The Service's name too: Prometheus scrapes with that Host header.
      DJANGO_ALLOWED_HOSTS: ['localhost', '127.0.0.1', webHost, names.webService].join(','),
      RAY_ADDRESS: `ray://${names.rayHeadService}:${ports.rayClient}`,
      DJANGO_RAY_WORKING_DIR_URI: archiveUri,
      RAY_DASHBOARD_HOST: '0.0.0.0',
      RAY_DASHBOARD_URL: `http://localhost:${nodePorts.rayDashboard}`,
      RAY_STATE_API_ADDRESS: `http://${names.rayHeadService}:${ports.rayDashboard}`,
      DATABASE_ENGINE: 'django.db.backends.postgresql',
      DATABASE_NAME: 'django_ray',
      DATABASE_HOST: names.postgresService,
      DATABASE_PORT: String(ports.postgres),
    };
    this.digest = contentDigest(data);
    new PlannedApiObject(this, 'config', {
      phase: 'prerequisite',
      manifest: KubeConfigMap.manifest({ metadata: objectMeta(names.config), data }),
    });
  }
}
