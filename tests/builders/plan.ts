import { identify } from '../../src/infra/inventory/identity.js';
import type { Manifest, Phase, PlannedObject } from '../../src/infra/plannedObject.js';

export const releaseTag = 'local-gate-tree-0123456789ab-89abcdef';

/** An object of the stack as a construct would plan it. Only the fields given matter to the test. */
export function planned(manifest: Manifest, phase: Phase = 'prerequisite'): PlannedObject {
  const identity = identify(manifest);
  if ('lacks' in identity) throw new Error(`a planned object needs ${identity.lacks}`);
  const { identity: text, scope = 'namespaced' } = identity;
  return { identity: text, scope, phase, construct: `test/${identity.name}`, manifest };
}

export function configMap(name = 'settings', rest: Manifest = {}): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'django-ray' }, ...rest };
}

export function namespace(): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'django-ray' } };
}

/** A Deployment with one container; `pod` and `container` add to it. */
export function deployment(
  name = 'web',
  given: {
    image?: string;
    labels?: object;
    selector?: object;
    pod?: object;
    container?: object;
    namespace?: string;
  } = {},
): Manifest {
  const labels = given.labels ?? { component: name };
  const container = { name, image: given.image ?? `django-ray:${releaseTag}`, ...given.container };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: given.namespace ?? 'django-ray' },
    spec: {
      selector: { matchLabels: given.selector ?? labels },
      template: { metadata: { labels }, spec: { containers: [container], ...given.pod } },
    },
  };
}
