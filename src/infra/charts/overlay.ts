import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { ComponentConfig } from '../constructs/componentConfig.js';
import { ComponentSecrets } from '../constructs/componentSecrets.js';
import { Grafana } from '../constructs/grafana.js';
import { WebIngress } from '../constructs/ingress.js';
import { StackNamespace } from '../constructs/namespace.js';
import { PlainConfigMap } from '../constructs/plainConfigMap.js';
import { Postgres } from '../constructs/postgres.js';
import { Prometheus } from '../constructs/prometheus.js';
import { RayCluster } from '../constructs/rayCluster.js';
import { RuntimeEnvClaim } from '../constructs/runtimeEnvClaim.js';
import { SetupJob } from '../constructs/setupJob.js';
import { TaskManager } from '../constructs/taskManager.js';
import { Web } from '../constructs/web.js';
import type { PlannedObject } from '../plannedObject.js';
import { type ProfileName, profiles } from '../profiles.js';
import { plannedObjects } from './plannedObjects.js';

export interface OverlayOptions {
  readonly profile: ProfileName;
  /** Tag of the built application image. */
  readonly releaseTag: string;
  /** The git tree that it was built from. */
  readonly sourceTree: string;
  /** `file:///runtime-env/NAME.zip`. */
  readonly archiveUri: string;
  readonly runtimeEnvAccess: 'RWX' | 'RWO';
}

/** ConfigMaps beside those that the components bring: name -> data. */
const extraConfigMaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** Everything that is deployed, in one reading. */
class Overlay extends Chart {
  constructor(scope: Construct, id: string, options: OverlayOptions) {
    super(scope, id, { disableResourceNameHashes: true });
    const profile = profiles[options.profile];
    const { releaseTag, sourceTree, archiveUri } = options;

    new StackNamespace(this, 'namespace');
    const { digest: configDigest } = new ComponentConfig(this, 'config', { archiveUri });
    for (const [name, data] of Object.entries(extraConfigMaps)) new PlainConfigMap(this, name, { name, data });
    new ComponentSecrets(this, 'secrets');
    new RuntimeEnvClaim(this, 'runtime-env', { access: options.runtimeEnvAccess });
    new Postgres(this, 'postgres', { profile });
    new Prometheus(this, 'prometheus', { profile });
    new Grafana(this, 'grafana', { profile });
    new WebIngress(this, 'ingress');
    new SetupJob(this, 'setup', { releaseTag, sourceTree, profile });
    new Web(this, 'web', { releaseTag, profile, configDigest });
    new RayCluster(this, 'ray', { profile });

    const manager = {
      releaseTag,
      configDigest,
      resources: profile.resources.application,
      waitResources: profile.resources.wait,
    };
    new TaskManager(this, 'manager-default', {
      ...manager,
      name: 'django-ray-worker',
      pool: 'default',
      queues: ['default', 'high-priority', 'low-priority'],
      execution: 'cluster',
      concurrency: profile.concurrency.default,
      replicas: profile.defaultManagers,
    });
    new TaskManager(this, 'manager-sync', {
      ...manager,
      name: 'django-ray-worker-sync',
      pool: 'sync',
      queues: ['sync'],
      execution: 'sync',
      concurrency: profile.concurrency.sync,
      replicas: 1,
    });
    new TaskManager(this, 'manager-ml', {
      ...manager,
      name: 'django-ray-worker-ml',
      pool: 'ml',
      queues: ['ml'],
      execution: 'cluster',
      concurrency: profile.concurrency.ml,
      replicas: 1,
    });
  }
}

/** Synthesises the overlay in memory: no cluster, no file, no clock; the same options give the same objects. */
export function synthOverlay(options: OverlayOptions): readonly PlannedObject[] {
  return plannedObjects(new Overlay(new App(), 'overlay', options));
}
