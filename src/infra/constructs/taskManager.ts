import { Construct } from 'constructs';
import { type Container, KubeDeployment, type Probe } from '../imports/kubernetes.js';
import type { Resources } from '../profiles.js';
import { applicationContainer, applicationPod } from './applicationPod.js';
import { configDigestAnnotation } from './contentDigest.js';
import { plainEnvironment, secretEnvironment } from './environment.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { waitForPostgres, waitForRay } from './waitForPort.js';

export interface TaskManagerProps {
  /** Name of the Deployment. */
  readonly name: string;
  /** Tells this manager's pods from the others': the value of label `queues`, unique in the overlay. */
  readonly pool: string;
  /** Queues that it consumes, at least one; no other manager consumes them. */
  readonly queues: readonly string[];
  /** `cluster`: tasks run on Ray. `sync`: in the manager itself, without Ray. */
  readonly execution: 'cluster' | 'sync';
  /** Tasks that one pod runs at a time, at least 1. */
  readonly concurrency: number;
  /** Pods, at least 1. */
  readonly replicas: number;
  readonly releaseTag: string;
  readonly configDigest: string;
  readonly resources: Resources;
  /** Of the init containers that wait for a port. */
  readonly waitResources: Resources;
}

/**
 * A task manager of django-ray: claims queued tasks from the database and has them run. It is applied after Ray is Ready, once.
 * Its readiness is the database lease, not Ray (django-ray 0.7.0).
 */
export class TaskManager extends Construct {
  constructor(scope: Construct, id: string, props: TaskManagerProps) {
    super(scope, id);
    this.check(props);
    const selector = { app: 'django-ray', component: 'worker', queues: props.pool };
    const wait = [waitForPostgres(props.waitResources)];
    if (props.execution === 'cluster') wait.push(waitForRay(props.waitResources));
    new PlannedApiObject(this, 'deployment', {
      phase: 'rollout',
      manifest: KubeDeployment.manifest({
        metadata: objectMeta(props.name, { labels: selector }),
        spec: {
          replicas: props.replicas,
          selector: { matchLabels: selector },
          template: {
            metadata: {
              labels: { ...ownershipLabels, ...selector },
              annotations: { [configDigestAnnotation]: props.configDigest },
            },
            spec: {
              ...applicationPod({ initContainers: wait, container: manager(props) }),
              terminationGracePeriodSeconds: 60,
            },
          },
        },
      }),
    });
  }

  private check({ pool, queues, concurrency, replicas }: TaskManagerProps): void {
    const at = this.node.path;
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(pool))
      throw new Error(`${at}: pool "${pool}" must be a label value`);
    if (queues.length === 0) throw new Error(`${at}: queues is empty: name at least one queue`);
    const odd = queues.find((queue) => !/^[a-z0-9][a-z0-9_-]*$/.test(queue));
    if (odd !== undefined) throw new Error(`${at}: queue "${odd}" must be lower-case letters, digits, - and _`);
    for (const [property, value] of Object.entries({ concurrency, replicas }))
      if (!Number.isInteger(value) || value < 1)
        throw new Error(`${at}: ${property} ${value} must be a whole number from 1`);
  }
}

function manager(props: TaskManagerProps): Container {
  return {
    ...applicationContainer({
      name: 'django-ray-worker',
      releaseTag: props.releaseTag,
      args: props.execution === 'sync' ? ['worker', '--sync'] : ['worker-cluster'],
      env: [
        ...plainEnvironment({
          DJANGO_RAY_QUEUE: props.queues.join(','),
          DJANGO_RAY_CONCURRENCY: props.concurrency,
          RAYGATE_RELEASE: props.releaseTag,
        }),
        ...secretEnvironment('DATABASE_USER', 'DATABASE_PASSWORD'),
      ],
      resources: props.resources,
    }),
    startupProbe: entrypoint('worker-ready', { periodSeconds: 5, timeoutSeconds: 15, failureThreshold: 60 }),
    readinessProbe: entrypoint('worker-ready', { periodSeconds: 15, timeoutSeconds: 15, failureThreshold: 3 }),
    livenessProbe: entrypoint('worker-alive', { periodSeconds: 15, timeoutSeconds: 10, failureThreshold: 4 }),
  };
}

/** Each `worker-ready` costs about 0.5 s of CPU, hence the long time-outs. */
function entrypoint(mode: string, timing: Probe): Probe {
  return { exec: { command: ['/app/docker-entrypoint.sh', mode] }, ...timing };
}
