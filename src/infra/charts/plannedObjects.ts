import { ApiObject, type Chart } from 'cdk8s';
import type { PlannedApiObject } from '../constructs/plannedApiObject.js';
import type { PlannedObject } from '../plannedObject.js';

/**
 * The objects of a chart as plain JSON, in the order of their identity. An object that was made without a phase ends synthesis
 * with its path.
 */
export function plannedObjects(chart: Chart): readonly PlannedObject[] {
  const objects = chart.node.findAll().filter((node): node is ApiObject => ApiObject.isApiObject(node));
  const planned = objects.map((object): PlannedObject => {
    if (!isPlanned(object)) throw new Error(unclassified(object));
    return { ...object.declared, manifest: object.toJson() };
  });
  return planned.sort((a, b) => (a.identity < b.identity ? -1 : 1));
}

/** Not `instanceof`: cdk8s answers it for every API object alike. */
function isPlanned(object: ApiObject): object is PlannedApiObject {
  return 'declared' in object;
}

function unclassified(object: ApiObject): string {
  return `${object.node.path}: ${object.kind} ${object.name} has no phase: make it with PlannedApiObject`;
}
