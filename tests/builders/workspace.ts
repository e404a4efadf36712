import type { KubeObject } from '../../src/cluster/objects.js';

/** A sound workspace; `spec` adds to it, and a field set to undefined is left out. */
export function workspace(spec: object = {}, metadata: object = {}): KubeObject {
  const sound = {
    principalRef: { provider: 'entra', name: 'vision' },
    kubernetesSubject: { kind: 'Group', name: 'vision' },
    role: 'researcher',
  };
  const whole = JSON.parse(JSON.stringify({ ...sound, ...spec }));
  return {
    apiVersion: 'tau.azure.com/v1alpha1',
    kind: 'TauWorkspace',
    metadata: { name: 'vision', namespace: 'tau-system', ...metadata },
    spec: whole,
  };
}

/** Leaves its access to grants that exist already. */
export const clusterWide = {
  authorization: { mode: 'cluster-wide' },
  principalRef: undefined,
  kubernetesSubject: undefined,
  role: undefined,
};
