import { createHash } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.js';
import type { KubeObject } from '../cluster/objects.js';
import type { Operator } from './operators/operator.js';

const fieldManager = 'raygate-lab';
const record = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'raygate-lab' } as const;

/** Kinds that others of the same operator need to be there first. */
const firstKinds = new Set(['Namespace', 'CustomResourceDefinition', 'ServiceAccount']);
const isFirst = (object: KubeObject) => firstKinds.has(object.kind);

/**
 * Applies each operator's objects, unless the cluster's own record says that exactly these were applied: KubeRay's CRDs
 * alone are two megabytes, and a warm start need not send them again. Returns the names that were applied.
 */
export async function applyOperators(cluster: Cluster, operators: readonly Operator[]): Promise<readonly string[]> {
  const current = await cluster.get(record);
  const known = current.kind === 'found' ? ((current.value['data'] ?? {}) as Record<string, string>) : {};
  const wanted = Object.fromEntries(operators.map((operator) => [operator.name, hash(operator.objects)]));
  const changed = operators.filter((operator) => known[operator.name] !== wanted[operator.name]);
  const objects = changed.flatMap((operator) => operator.objects);
  for (const group of [objects.filter(isFirst), objects.filter((object) => !isFirst(object))]) {
    await Promise.all(group.map((object) => cluster.apply(object, { fieldManager, force: true })));
  }
  if (changed.length > 0) {
    await cluster.apply(
      {
        apiVersion: record.apiVersion,
        kind: record.kind,
        metadata: { namespace: record.namespace, name: record.name },
        data: { ...known, ...wanted },
      },
      { fieldManager, force: true },
    );
  }
  return changed.map((operator) => operator.name);
}

function hash(objects: readonly KubeObject[]): string {
  return createHash('sha256').update(JSON.stringify(objects)).digest('hex');
}
