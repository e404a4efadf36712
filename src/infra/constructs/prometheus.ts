import { Construct } from 'constructs';
import { stringify } from 'yaml';
import { images } from '../images.js';
import {
  IntOrString,
  KubeConfigMap,
  KubeDeployment,
  KubeServiceAccount,
  type PodSpec,
  type Probe,
} from '../imports/kubernetes.js';
import { names } from '../names.js';
import { nodePorts, ports } from '../ports.js';
import type { Profile } from '../profiles.js';
import { ComponentService } from './componentService.js';
import { configDigestAnnotation, contentDigest } from './contentDigest.js';
import { isolatedPod, sealedContainer, userIds } from './hardening.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { PodReader } from './podReader.js';
import { prometheusConfig, tokenFolder } from './prometheusConfig.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface PrometheusProps {
  readonly profile: Profile;
}

const selector = { app: 'prometheus' };

/** Prometheus with its jobs, and the right to list pods of its own namespace. A changed configuration rolls it. */
export class Prometheus extends Construct {
  constructor(scope: Construct, id: string, props: PrometheusProps) {
    super(scope, id);
    const data = { 'prometheus.yml': stringify(prometheusConfig(), { lineWidth: 0 }) };
    new PlannedApiObject(this, 'config', {
      phase: 'prerequisite',
      manifest: KubeConfigMap.manifest({ metadata: objectMeta(names.prometheusConfig), data }),
    });
    new PlannedApiObject(this, 'account', {
      phase: 'prerequisite',
      manifest: KubeServiceAccount.manifest({
        metadata: objectMeta(names.prometheus),
        automountServiceAccountToken: false,
      }),
    });
    new PodReader(this, 'pod-reader', { name: 'prometheus-django-ray', serviceAccount: names.prometheus });
    new PlannedApiObject(this, 'deployment', {
      phase: 'prerequisite',
      manifest: KubeDeployment.manifest({
        metadata: objectMeta(names.prometheus, { labels: selector }),
        spec: {
          replicas: 1,
          selector: { matchLabels: selector },
          template: {
            metadata: {
              labels: { ...ownershipLabels, ...selector },
              annotations: { [configDigestAnnotation]: contentDigest(data) },
            },
            spec: pod(props.profile),
          },
        },
      }),
    });
    new ComponentService(this, 'service', {
      name: names.prometheusService,
      selector,
      port: ports.prometheus,
      nodePort: nodePorts.prometheus,
    });
  }
}

function pod(profile: Profile): PodSpec {
  return {
    serviceAccountName: names.prometheus,
    ...isolatedPod(userIds.nobody),
    // The one pod that talks to the API server: it discovers Ray's workers.
    automountServiceAccountToken: true,
    containers: [
      {
        name: 'prometheus',
        image: images.prometheus,
        imagePullPolicy: 'IfNotPresent',
        args: [
          '--config.file=/etc/prometheus/prometheus.yml',
          '--storage.tsdb.path=/prometheus',
          '--storage.tsdb.retention.time=7d',
          '--web.enable-lifecycle',
        ],
        ports: [{ name: 'http', containerPort: ports.prometheus, protocol: 'TCP' }],
        resources: resourceRequirements(profile.resources.prometheus),
        securityContext: sealedContainer,
        startupProbe: answers('/-/ready', { periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 }),
        readinessProbe: answers('/-/ready', { periodSeconds: 5, timeoutSeconds: 5 }),
        livenessProbe: answers('/-/healthy', { periodSeconds: 15, timeoutSeconds: 5 }),
        volumeMounts: [
          { name: 'config', mountPath: '/etc/prometheus', readOnly: true },
          { name: 'api-token', mountPath: tokenFolder, readOnly: true },
          { name: 'data', mountPath: '/prometheus' },
        ],
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: names.prometheusConfig } },
      {
        name: 'api-token',
        secret: { secretName: names.secret, items: [{ key: 'DJANGO_API_TOKEN', path: 'DJANGO_API_TOKEN' }] },
      },
      { name: 'data', emptyDir: {} },
    ],
  };
}

function answers(path: string, timing: Probe): Probe {
  return { httpGet: { path, port: IntOrString.fromNumber(ports.prometheus) }, ...timing };
}
