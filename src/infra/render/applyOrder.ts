import { type PlannedObject, phases } from '../plannedObject.js';

/** Kinds that others refer to come first; a kind that is not listed comes after these. */
const kindOrder = [
  'Namespace',
  'CustomResourceDefinition',
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'Service',
];

/** The objects in an order in which they may be applied one by one: by phase, then what others refer to, then by identity. */
export function inApplyOrder(objects: readonly PlannedObject[]): readonly PlannedObject[] {
  const keyOf = ({ phase, manifest }: PlannedObject) => {
    const kind = kindOrder.indexOf(String(manifest['kind']));
    return phases.indexOf(phase) * 100 + (kind < 0 ? kindOrder.length : kind);
  };
  return objects
    .map((object) => ({ object, key: keyOf(object) }))
    .sort((a, b) => a.key - b.key || (a.object.identity < b.object.identity ? -1 : 1))
    .map(({ object }) => object);
}
