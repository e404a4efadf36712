import type { OwnerReference } from '../../src/cluster/objects.js';
import type { ContainerFacts, ContainerStatusFacts, PodFacts } from '../../src/gate/model/podFacts.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';

const hex64 = (digit: string) => digit.repeat(64);

export const digestA = `sha256:${hex64('a')}`;
export const digestB = `sha256:${hex64('b')}`;

export function container(name: string, image: string, fields: Partial<ContainerFacts> = {}): ContainerFacts {
  return { name, image, command: [], args: [], ...fields };
}

/** A container that runs well, unless told otherwise. */
export function status(name: string, image: string, fields: Partial<ContainerStatusFacts> = {}): ContainerStatusFacts {
  return {
    name,
    image,
    imageId: digestA,
    ready: true,
    restartCount: 0,
    waiting: undefined,
    terminated: undefined,
    lastTerminated: undefined,
    ...fields,
  };
}

export function owner(kind: string, name: string, uid: string, fields: Partial<OwnerReference> = {}): OwnerReference {
  const apiVersion = kind === 'RayCluster' ? 'ray.io/v1' : kind === 'Job' ? 'batch/v1' : 'apps/v1';
  return { apiVersion, kind, name, uid, controller: true, ...fields };
}

/** A pod or a template of nothing but what its facts say. */
export function wholeOf(given: {
  readonly labels?: Readonly<Record<string, string>>;
  readonly initContainers?: readonly ContainerFacts[];
  readonly containers?: readonly ContainerFacts[];
}): PodTemplate {
  const { labels = {}, initContainers = [], containers = [] } = given;
  return { labels, annotations: {}, spec: { initContainers, containers } };
}

/** A Ready pod of the one container `main` on `docker.io/library/app:1`. */
export function pod(fields: Partial<PodFacts> = {}): PodFacts {
  const name = fields.name ?? 'pod';
  const containers = [container('main', 'app:1')];
  return {
    name,
    namespace: 'django-ray',
    uid: `${name}-uid`,
    labels: {},
    owners: [],
    terminating: false,
    phase: 'Running',
    reason: '',
    ready: true,
    initContainers: [],
    containers,
    whole: wholeOf({ containers, ...fields }),
    ephemeralContainers: 0,
    initStatuses: [],
    statuses: [status('main', 'docker.io/library/app:1')],
    unschedulable: undefined,
    ...fields,
  };
}
