import type { DeploymentContract } from '../../src/gate/model/contracts.js';
import type { PodFacts } from '../../src/gate/model/podFacts.js';
import type { DeploymentFacts, ReplicaSetFacts, TemplateFacts } from '../../src/gate/model/rolloutFacts.js';
import type { AppReading } from '../../src/gate/rules/appConverged.js';
import { container, digestA, owner, pod, status, wholeOf } from './pods.js';

export const appImage = 'django-ray:tree-1';
const labels = { app: 'django-ray', component: 'web' };

export const webContract: DeploymentContract = {
  name: 'web',
  replicas: 1,
  selector: labels,
  pod: { initContainers: [], containers: [{ name: 'web', image: appImage }] },
  template: { labels, annotations: {}, spec: { containers: [{ name: 'web', image: appImage }] } },
};

export const appDigests = { [`docker.io/library/${appImage}`]: [digestA] };

export function template(fields: Partial<TemplateFacts> = {}): TemplateFacts {
  const containers = [container('web', appImage)];
  const whole = wholeOf({ labels, containers, ...fields });
  return { restartMark: undefined, labels, initContainers: [], containers, whole, ...fields };
}

/** Rolled out, one replica. */
export function deployment(fields: Partial<DeploymentFacts> = {}): DeploymentFacts {
  return {
    name: 'web',
    namespace: 'django-ray',
    uid: 'web-uid',
    terminating: false,
    generation: 2,
    observedGeneration: 2,
    selector: labels,
    hasSelectorExpressions: false,
    template: template(),
    replicas: 1,
    statusReplicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    unavailableReplicas: 0,
    revision: 2,
    progressFailure: undefined,
    ...fields,
  };
}

/** The current one of `web`. */
export function replicaSet(fields: Partial<ReplicaSetFacts> = {}): ReplicaSetFacts {
  return {
    name: 'web-new',
    namespace: 'django-ray',
    uid: 'web-new-uid',
    owners: [owner('Deployment', 'web', 'web-uid')],
    terminating: false,
    selector: { ...labels, 'pod-template-hash': 'new' },
    template: template({ labels: { ...labels, 'pod-template-hash': 'new' } }),
    replicas: 1,
    statusReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    revision: 2,
    replicaFailure: undefined,
    ...fields,
  };
}

/** What the rollout before this one left. */
export function oldReplicaSet(fields: Partial<ReplicaSetFacts> = {}): ReplicaSetFacts {
  return replicaSet({
    name: 'web-old',
    uid: 'web-old-uid',
    selector: { ...labels, 'pod-template-hash': 'old' },
    template: template({
      labels: { ...labels, 'pod-template-hash': 'old' },
      containers: [container('web', 'django-ray:tree-0')],
    }),
    replicas: 0,
    statusReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    revision: 1,
    ...fields,
  });
}

export function webPod(fields: Partial<PodFacts> = {}): PodFacts {
  return pod({
    name: 'web-new-1',
    labels: { ...labels, 'pod-template-hash': 'new' },
    owners: [owner('ReplicaSet', 'web-new', 'web-new-uid')],
    containers: [container('web', appImage)],
    statuses: [status('web', `docker.io/library/${appImage}`)],
    ...fields,
  });
}

export function oldPod(fields: Partial<PodFacts> = {}): PodFacts {
  return webPod({
    name: 'web-old-1',
    labels: { ...labels, 'pod-template-hash': 'old' },
    owners: [owner('ReplicaSet', 'web-old', 'web-old-uid')],
    containers: [container('web', 'django-ray:tree-0')],
    statuses: [status('web', 'docker.io/library/django-ray:tree-0')],
    ...fields,
  });
}

/** A converged `web`, with a spent ReplicaSet behind it. */
export function appReading(fields: Partial<AppReading> = {}): AppReading {
  return { deployments: [deployment()], replicaSets: [replicaSet(), oldReplicaSet()], pods: [webPod()], ...fields };
}
