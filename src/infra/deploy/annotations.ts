import type { Manifest, PlannedObject } from '../plannedObject.js';

/** The field manager of everything that is applied: how preflight knows which fields are ours. */
export const fieldManager = 'raygate';

/**
 * Annotations that deployment adds to what was planned. The inventory and the confinement know them by name; nothing else may
 * differ between a planned object and the one applied.
 */
export const deployAnnotations = {
  /** Pulumi applies under this name instead of a random one for each resource. */
  fieldManager: 'pulumi.com/patchFieldManager',
  /** Pulumi does not wait: a step of the gate does, with a better eye. */
  skipAwait: 'pulumi.com/skipAwait',
  /**
   * Pulumi waits for this only. For a Deployment `skipAwait` would also skip the wait for its deletion
   * (pulumi-kubernetes 4.25), so it waits for what holds at once: that it has a uid.
   */
  waitFor: 'pulumi.com/waitFor',
  /** Fields that another manager owns are taken over instead of ending the run with a conflict. */
  force: 'pulumi.com/patchForce',
} as const;

/** On the pod template of a task manager: a new value rolls its pods. */
export const restartAnnotation = 'raygate/restart';

interface Annotated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>>; readonly [field: string]: unknown };
  readonly spec?: { readonly template?: Annotated; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface DeployOptions {
  /** Value of {@link restartAnnotation}; only the rollout phase takes it. Default: none. */
  readonly restart?: string;
  /** Whether fields that another manager owns are taken over. Default: false, which makes them a conflict. */
  readonly adopt?: boolean;
}

/** The object as it is applied. */
export function deployedManifest(planned: PlannedObject, { restart, adopt = false }: DeployOptions): Manifest {
  const manifest = planned.manifest as Annotated;
  const wait =
    manifest['kind'] === 'Deployment'
      ? { [deployAnnotations.waitFor]: 'jsonpath={.metadata.uid}' }
      : { [deployAnnotations.skipAwait]: 'true' };
  const force = adopt ? { [deployAnnotations.force]: 'true' } : {};
  const own = { [deployAnnotations.fieldManager]: fieldManager, ...wait, ...force };
  const annotated = withAnnotations(manifest, own);
  const template = annotated.spec?.template;
  if (planned.phase !== 'rollout' || restart === undefined || !template) return annotated;
  return {
    ...annotated,
    spec: { ...annotated.spec, template: withAnnotations(template, { [restartAnnotation]: restart }) },
  };
}

/** The reverse: what must equal the planned manifest. A rollout may carry a restart annotation, nothing else may. */
export function withoutDeployAnnotations(applied: Manifest, planned: PlannedObject): Manifest {
  const bare = withoutAnnotations(applied as Annotated, Object.values(deployAnnotations));
  const template = bare.spec?.template;
  if (planned.phase !== 'rollout' || !template) return bare;
  return { ...bare, spec: { ...bare.spec, template: withoutAnnotations(template, [restartAnnotation]) } };
}

function withAnnotations(object: Annotated, annotations: Readonly<Record<string, string>>): Annotated {
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata?.annotations, ...annotations } },
  };
}

function withoutAnnotations(object: Annotated, names: readonly string[]): Annotated {
  const annotations = object.metadata?.annotations;
  if (annotations === undefined) return object;
  const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
  const { annotations: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata: kept.length > 0 ? { ...metadata, annotations: Object.fromEntries(kept) } : metadata };
}
