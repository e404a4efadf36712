import type { KubeObject, ObjectRef } from '../../cluster/objects.js';

/** Something of the lab that runs in the cluster: its objects, and the Deployment that must be available. */
export interface Operator {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly deployment: ObjectRef;
}

export function deploymentRef(namespace: string, name: string): ObjectRef {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
}

/** Labels that say whose object it is, to a person who meets it in the cluster. */
export const operatorLabels = { 'app.kubernetes.io/managed-by': 'raygate-lab' } as const;
