import type { KubeObject, OwnerReference } from '../../cluster/objects.js';
import { asCount, asRecord, asText, asTextMap, at } from './json.js';
import { type ContainerFacts, readContainers } from './podFacts.js';
import { type PodTemplate, readPodTemplate } from './podTemplate.js';

/** On the pod templates of what is restarted: the run that restarted it. */
export const restartAnnotation = 'raygate/restart';

export interface TemplateFacts {
  readonly restartMark: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly initContainers: readonly ContainerFacts[];
  readonly containers: readonly ContainerFacts[];
  /** Its metadata and spec as they stand. */
  readonly whole: PodTemplate;
}

export interface DeploymentFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly terminating: boolean;
  readonly generation: number;
  readonly observedGeneration: number;
  readonly selector: Readonly<Record<string, string>>;
  /** A selector with expressions is none that the rules can compare. */
  readonly hasSelectorExpressions: boolean;
  readonly template: TemplateFacts;
  readonly replicas: number;
  readonly statusReplicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  /** Of annotation `deployment.kubernetes.io/revision`; 0 until the controller has set it. */
  readonly revision: number;
  /** Message of a Progressing=False condition (deadline exceeded, quota). */
  readonly progressFailure: string | undefined;
}

export interface ReplicaSetFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly terminating: boolean;
  readonly selector: Readonly<Record<string, string>>;
  readonly template: TemplateFacts;
  readonly replicas: number;
  readonly statusReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly revision: number;
  /** Message of a ReplicaFailure condition: pods that cannot be created (quota, admission). */
  readonly replicaFailure: string | undefined;
}

export function readDeployment(object: KubeObject): DeploymentFacts {
  const spec = asRecord(object['spec']);
  const status = asRecord(object['status']);
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    terminating: object.metadata.deletionTimestamp !== undefined,
    generation: object.metadata.generation ?? 0,
    observedGeneration: asCount(status['observedGeneration']),
    selector: asTextMap(at(spec, 'selector', 'matchLabels')),
    hasSelectorExpressions: at(spec, 'selector', 'matchExpressions') !== undefined,
    template: readTemplate(spec['template']),
    replicas: spec['replicas'] === undefined ? 1 : asCount(spec['replicas']),
    statusReplicas: asCount(status['replicas']),
    updatedReplicas: asCount(status['updatedReplicas']),
    readyReplicas: asCount(status['readyReplicas']),
    availableReplicas: asCount(status['availableReplicas']),
    unavailableReplicas: asCount(status['unavailableReplicas']),
    revision: revisionOf(object),
    progressFailure: conditionMessage(status, 'Progressing', 'False'),
  };
}

export function readReplicaSet(object: KubeObject): ReplicaSetFacts {
  const spec = asRecord(object['spec']);
  const status = asRecord(object['status']);
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    owners: object.metadata.ownerReferences ?? [],
    terminating: object.metadata.deletionTimestamp !== undefined,
    selector: asTextMap(at(spec, 'selector', 'matchLabels')),
    template: readTemplate(spec['template']),
    replicas: spec['replicas'] === undefined ? 1 : asCount(spec['replicas']),
    statusReplicas: asCount(status['replicas']),
    readyReplicas: asCount(status['readyReplicas']),
    availableReplicas: asCount(status['availableReplicas']),
    revision: revisionOf(object),
    replicaFailure: conditionMessage(status, 'ReplicaFailure', 'True'),
  };
}

export function readTemplate(value: unknown): TemplateFacts {
  return {
    restartMark: asTextMap(at(value, 'metadata', 'annotations'))[restartAnnotation],
    labels: asTextMap(at(value, 'metadata', 'labels')),
    initContainers: readContainers(at(value, 'spec', 'initContainers')),
    containers: readContainers(at(value, 'spec', 'containers')),
    whole: readPodTemplate(value),
  };
}

function revisionOf(object: KubeObject): number {
  const text = object.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

function conditionMessage(status: unknown, type: string, wanted: string): string | undefined {
  const conditions = asRecord(status)['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  const match = conditions.map(asRecord).find((c) => c['type'] === type && c['status'] === wanted);
  return match === undefined ? undefined : `${asText(match['reason'])}: ${asText(match['message'])}`;
}
