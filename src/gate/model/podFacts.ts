import type { KubeObject, OwnerReference } from '../../cluster/objects.js';
import { asCount, asList, asRecord, asText, at, type Json } from './json.js';
import { type PodTemplate, readPodTemplate } from './podTemplate.js';

/** What the template or the spec says of one container. */
export interface ContainerFacts {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** What the kubelet says of one container. */
export interface ContainerStatusFacts {
  readonly name: string;
  readonly image: string;
  /** As the runtime reports it: `docker.io/x@sha256:…`, `sha256:…`, `docker://sha256:…`; empty until it is known. */
  readonly imageId: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly waiting: { readonly reason: string; readonly message: string } | undefined;
  readonly terminated: Termination | undefined;
  readonly lastTerminated: Termination | undefined;
}

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
}

export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owners: readonly OwnerReference[];
  readonly terminating: boolean;
  readonly phase: string;
  readonly reason: string;
  /** Condition Ready is True. */
  readonly ready: boolean;
  readonly initContainers: readonly ContainerFacts[];
  readonly containers: readonly ContainerFacts[];
  readonly ephemeralContainers: number;
  readonly initStatuses: readonly ContainerStatusFacts[];
  readonly statuses: readonly ContainerStatusFacts[];
  /** Its metadata and spec as they stand. */
  readonly whole: PodTemplate;
  /** The scheduler's message, when it says that no node fits. */
  readonly unschedulable: string | undefined;
}

export function readPod(object: KubeObject): PodFacts {
  const spec = asRecord(object['spec']);
  const status = asRecord(object['status']);
  const conditions = asList(status['conditions']).map(asRecord);
  const scheduled = conditions.find((condition) => condition['type'] === 'PodScheduled');
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    labels: object.metadata.labels ?? {},
    owners: object.metadata.ownerReferences ?? [],
    terminating: object.metadata.deletionTimestamp !== undefined,
    phase: asText(status['phase']),
    reason: asText(status['reason']),
    ready: conditions.some((condition) => condition['type'] === 'Ready' && condition['status'] === 'True'),
    initContainers: readContainers(spec['initContainers']),
    containers: readContainers(spec['containers']),
    ephemeralContainers:
      asList(spec['ephemeralContainers']).length + asList(status['ephemeralContainerStatuses']).length,
    initStatuses: asList(status['initContainerStatuses']).map(asRecord).map(readStatus),
    statuses: asList(status['containerStatuses']).map(asRecord).map(readStatus),
    whole: readPodTemplate(object),
    unschedulable:
      scheduled?.['status'] === 'False' && scheduled['reason'] === 'Unschedulable'
        ? asText(scheduled['message'])
        : undefined,
  };
}

export function readContainers(value: unknown): readonly ContainerFacts[] {
  return asList(value)
    .map(asRecord)
    .map((container) => ({
      name: asText(container['name']),
      image: asText(container['image']),
      command: asList(container['command']).map(asText),
      args: asList(container['args']).map(asText),
    }));
}

/** The one reference that controls the object; undefined when there is none or more than one. */
export function controllerOf(owners: readonly OwnerReference[]): OwnerReference | undefined {
  const controllers = owners.filter((owner) => owner.controller === true);
  return controllers.length === 1 ? controllers[0] : undefined;
}

/** `Kind name (uid)` of the one controlling owner; empty when there is none. */
export function ownerText(owners: readonly OwnerReference[]): string {
  const owner = controllerOf(owners);
  return owner === undefined ? '' : `${owner.kind} ${owner.name} (${owner.uid})`;
}

function readStatus(status: Json): ContainerStatusFacts {
  const waiting = at(status, 'state', 'waiting');
  return {
    name: asText(status['name']),
    image: asText(status['image']),
    imageId: asText(status['imageID']),
    ready: status['ready'] === true,
    restartCount: asCount(status['restartCount']),
    waiting:
      waiting === undefined
        ? undefined
        : { reason: asText(at(waiting, 'reason')), message: asText(at(waiting, 'message')) },
    terminated: readTermination(at(status, 'state', 'terminated')),
    lastTerminated: readTermination(at(status, 'lastState', 'terminated')),
  };
}

function readTermination(value: unknown): Termination | undefined {
  if (value === undefined) return undefined;
  const state = asRecord(value);
  return { exitCode: asCount(state['exitCode']), reason: asText(state['reason']), message: asText(state['message']) };
}
