import { controllerName } from '../../api/names.js';
import type { ObjectMeta } from '../imports/kubernetes.js';

/**
 * On every object of the controller's installation. `app.kubernetes.io/managed-by` is left out on purpose: on this API it marks
 * what the controller owns, and Helm writes its own when it installs.
 */
export const controllerLabels = {
  'app.kubernetes.io/name': controllerName,
  'app.kubernetes.io/part-of': 'raygate',
} as const;

/** Metadata of an object of the installation; cluster-scoped without a namespace. */
export function controllerMeta(
  name: string,
  namespace?: string,
  extra: Pick<ObjectMeta, 'annotations'> = {},
): ObjectMeta {
  return { name, ...(namespace === undefined ? {} : { namespace }), labels: controllerLabels, ...extra };
}
