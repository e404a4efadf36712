import type { SourceKind } from '../../src/drain/sources/sourceKind.js';
import { sourceKinds } from '../../src/drain/sources/table.js';

/** Any object of a cluster. */
export interface AnyObject {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface WorkFields {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

export const queueLabel = (queue: string) => ({ 'kueue.x-k8s.io/queue-name': queue });
export const managedLabels = (queue: string) => ({ ...queueLabel(queue), 'kueue.x-k8s.io/managed': 'true' });

export function rowOf(kind: string): SourceKind {
  const row = sourceKinds.find((each) => each.kind === kind);
  if (!row) throw new Error(`no row for ${kind}`);
  return row;
}

/** An object of a kind of the table, named `a-<kind>`, of which only what matters to a test is given. */
export function work(kind: string, { metadata = {}, ...fields }: WorkFields = {}) {
  const row = rowOf(kind);
  const name = (metadata as { name?: string }).name ?? `a-${kind.toLowerCase()}`;
  return {
    apiVersion: row.group === '' ? row.versions[0] : `${row.group}/${row.versions[0]}`,
    kind,
    metadata: { namespace: 'train', uid: `uid-of-${name}`, ...metadata, name },
    ...fields,
  };
}

export function queued(kind: string, queue: string, fields: WorkFields = {}) {
  return work(kind, { ...fields, metadata: { labels: queueLabel(queue), ...fields.metadata } });
}

/** A Workload that names a queue; `admittedTo` gives it quota there. */
export function workload(queue: string, { admittedTo, ...fields }: WorkFields & { admittedTo?: string } = {}) {
  return work('Workload', {
    metadata: fields.metadata ?? {},
    spec: { queueName: queue, ...fields.spec },
    status: admittedTo
      ? { admission: { clusterQueue: admittedTo }, ...conditions('QuotaReserved', 'Admitted'), ...fields.status }
      : (fields.status ?? {}),
  });
}

export function conditions(...types: readonly string[]) {
  return { conditions: types.map((type) => ({ type, status: 'True' })) };
}

/** A pod template that names an account. */
export function runsAs(account: string) {
  return { spec: { serviceAccountName: account, containers: [] } };
}

export function controlledBy(owner: {
  apiVersion: string | undefined;
  kind: string;
  metadata: { name: string; uid: string };
}) {
  const { apiVersion, kind, metadata } = owner;
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }] };
}
