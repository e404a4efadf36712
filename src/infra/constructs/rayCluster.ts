import { Construct } from 'constructs';
import { KubeRayCluster } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { rayVersion } from '../versions.js';
import { ComponentService } from './componentService.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { rayHeadTemplate, rayWorkerTemplate } from './rayPods.js';

export interface RayClusterProps {
  readonly profile: Profile;
}

/**
 * One head and one group of workers, of fixed size: in-tree autoscaling is off, so replicas, minimum and maximum are equal.
 * KubeRay makes `ray-head-svc` from the head's ports; the dashboard has a Service of its own with a fixed node port.
 */
export class RayCluster extends Construct {
  constructor(scope: Construct, id: string, props: RayClusterProps) {
    super(scope, id);
    const { profile } = props;
    const workers = profile.rayWorkers;
    if (!Number.isInteger(workers) || workers < 1)
      throw new Error(`${this.node.path}: profile.rayWorkers ${workers} must be a whole number from 1`);
    const metrics = { 'num-cpus': '2', 'metrics-export-port': String(ports.rayMetrics) };
    new PlannedApiObject(this, 'cluster', {
      phase: 'workload',
      manifest: KubeRayCluster.manifest({
        metadata: objectMeta(names.rayCluster, { labels: { app: 'ray', component: 'cluster' } }),
        spec: {
          rayVersion,
          enableInTreeAutoscaling: false,
          headGroupSpec: {
            serviceType: 'NodePort',
            rayStartParams: {
              'dashboard-host': '0.0.0.0',
              'dashboard-port': String(ports.rayDashboard),
              'disable-usage-stats': 'true',
              ...metrics,
            },
            template: rayHeadTemplate(profile),
          },
          workerGroupSpecs: [
            {
              groupName: 'worker-group',
              replicas: workers,
              minReplicas: workers,
              maxReplicas: workers,
              rayStartParams: metrics,
              template: rayWorkerTemplate(profile),
            },
          ],
        },
      }),
    });
    new ComponentService(this, 'dashboard', {
      name: names.rayDashboardService,
      selector: { app: 'ray', component: 'head' },
      port: ports.rayDashboard,
      nodePort: nodePorts.rayDashboard,
    });
  }
}
