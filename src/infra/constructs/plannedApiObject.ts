import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { InventoryEntry, Phase } from '../plannedObject.js';

export interface PlannedApiObjectProps {
  /** When the object is applied. Required: an object without a phase does not compile. */
  readonly phase: Phase;
  /**
   * The whole object, from the `manifest()` of a generated kind. Its name is given, never generated; a namespaced object
   * states its namespace; nothing in it is null.
   */
  readonly manifest: ApiObjectProps;
}

/** The only way to an object of the overlay: what is made otherwise has no phase, and synthesis refuses it. */
export class PlannedApiObject extends ApiObject {
  /** What the construct declares, before synthesis. */
  readonly declared: InventoryEntry;

  constructor(scope: Construct, id: string, props: PlannedApiObjectProps) {
    const { apiVersion, kind, metadata } = props.manifest;
    const path = `${scope.node.path}/${id}`;
    if (!metadata?.name)
      throw new Error(`${path}: manifest.metadata.name of this ${kind} is missing: give it a fixed name`);
    const nullAt = firstNull(props.manifest, 'manifest');
    if (nullAt) throw new Error(`${path}: ${nullAt} is null, which synthesis would drop without a word: leave it out`);
    super(scope, id, props.manifest);
    const place = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    this.declared = {
      identity: `${apiVersion}/${kind}/${place}`,
      scope: metadata.namespace === undefined ? 'cluster' : 'namespaced',
      phase: props.phase,
      construct: this.node.path,
    };
  }
}

function firstNull(value: unknown, path: string): string | undefined {
  if (value === null) return path;
  if (typeof value !== 'object') return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = firstNull(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}
