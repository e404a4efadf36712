import { Construct } from 'constructs';
import { controllerName } from '../../api/names.js';
import { type Container, IntOrString, KubeDeployment, type Probe } from '../imports/kubernetes.js';
import { ports } from '../ports.js';
import type { Resources } from '../profiles.js';
import { controllerLabels, controllerMeta } from './controllerMeta.js';
import { isolatedPod, sealedContainer, userIds } from './hardening.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface ControllerDeploymentProps {
  readonly systemNamespace: string;
  /** Whole reference of the image. */
  readonly image: string;
  /** Pods, at least 1; one of them leads, the others stand by. */
  readonly replicas: number;
  readonly resources: Resources;
}

const selector = { 'app.kubernetes.io/name': controllerName };

/** The workspace controller: replicas that elect a leader, each with its own health and metrics. */
export class ControllerDeployment extends Construct {
  constructor(scope: Construct, id: string, props: ControllerDeploymentProps) {
    super(scope, id);
    const { replicas } = props;
    if (!Number.isInteger(replicas) || replicas < 1)
      throw new Error(`${this.node.path}: replicas ${replicas} must be a whole number from 1`);
    new PlannedApiObject(this, 'deployment', {
      phase: 'workload',
      manifest: KubeDeployment.manifest({
        metadata: controllerMeta(controllerName, props.systemNamespace),
        spec: {
          replicas,
          selector: { matchLabels: selector },
          template: {
            metadata: { labels: controllerLabels },
            spec: {
              ...isolatedPod(userIds.controller),
              automountServiceAccountToken: true,
              serviceAccountName: controllerName,
              terminationGracePeriodSeconds: 30,
              containers: [container(props)],
            },
          },
        },
      }),
    });
  }
}

function container({ image, resources }: ControllerDeploymentProps): Container {
  return {
    name: 'controller',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      'controller',
      '--system-namespace=$(POD_NAMESPACE)',
      `--metrics-bind-address=:${ports.controllerMetrics}`,
      `--health-probe-bind-address=:${ports.controllerHealth}`,
      '--leader-elect',
    ],
    // Whoever installs it elsewhere changes the namespace in one place.
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    ports: [
      { name: 'metrics', containerPort: ports.controllerMetrics, protocol: 'TCP' },
      { name: 'health', containerPort: ports.controllerHealth, protocol: 'TCP' },
    ],
    resources: resourceRequirements(resources),
    securityContext: sealedContainer,
    startupProbe: probe('/healthz', { periodSeconds: 2, failureThreshold: 30 }),
    livenessProbe: probe('/healthz', { periodSeconds: 10 }),
    readinessProbe: probe('/readyz', { periodSeconds: 5 }),
  };
}

function probe(path: string, timing: Probe): Probe {
  return { httpGet: { path, port: IntOrString.fromString('health') }, timeoutSeconds: 2, ...timing };
}
