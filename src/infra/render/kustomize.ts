import type { PlannedObject } from '../plannedObject.js';
import { inApplyOrder } from './applyOrder.js';
import type { Files } from './files.js';
import { objectFileNames } from './objectFileName.js';
import { renderYaml } from './yaml.js';

/** The objects as a Kustomize base: a file each, and the kustomization that lists them in the order to apply them. */
export function renderKustomize(objects: readonly PlannedObject[]): Files {
  const ordered = inApplyOrder(objects);
  const names = objectFileNames(ordered);
  const manifest = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ordered.map((object) => names.get(object)),
    sortOptions: { order: 'fifo' },
  };
  return new Map([
    ['kustomization.yaml', renderYaml([{ manifest }])],
    ...ordered.map((object): [string, string] => [names.get(object) as string, renderYaml([object])]),
  ]);
}
