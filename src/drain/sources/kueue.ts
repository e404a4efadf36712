import { accountsOfTemplates } from './accounts.js';
import { fieldsAt, firstTrue, flagAt, listAt, textAt } from './fields.js';
import { finished, pending, running, type SourceKind, stuck } from './sourceKind.js';

/** By the first condition that is true. Made once: an index may hold very many of each. */
const states = {
  Finished: finished('Finished'),
  Admitted: running('Admitted'),
  QuotaReserved: pending('QuotaReserved'),
  Evicted: pending('Evicted'),
} as const;
const conditions = Object.keys(states) as (keyof typeof states)[];
const waiting = pending('Pending');
const inactive = stuck('Inactive', 'it is inactive: set spec.active to true, or delete what it belongs to');

/**
 * A Kueue Workload: finished with condition `Finished` only (Kueue 0.17, pkg/workload IsFinished). One that is inactive and holds no quota
 * is stuck; while it still holds quota its pods may run.
 */
export const workload: SourceKind = {
  kind: 'Workload',
  group: 'kueue.x-k8s.io',
  versions: ['v1beta2', 'v1beta1'],
  resource: 'workloads',
  queue: (object) => textAt(fieldsAt(object, 'spec'), 'queueName'),
  state(object) {
    const first = firstTrue(fieldsAt(object, 'status'), conditions);
    const active = flagAt(fieldsAt(object, 'spec'), 'active', true);
    if (!active && (first === undefined || first === 'Evicted')) return inactive;
    return first === undefined ? waiting : states[first];
  },
  admittedTo: (object) => textAt(fieldsAt(fieldsAt(object, 'status'), 'admission'), 'clusterQueue'),
  remoteCluster: (object) => textAt(fieldsAt(object, 'status'), 'clusterName'),
  accounts: (object) => accountsOfTemplates(listAt(fieldsAt(object, 'spec'), 'podSets')),
};
