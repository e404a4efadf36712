import { accountsOfTemplates } from './accounts.js';
import { conditionIsTrue, fieldsAt, flagAt, listAt, textAt } from './fields.js';
import { finished, pending, running, type SourceKind, stuck } from './sourceKind.js';

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
    const status = fieldsAt(object, 'status');
    if (conditionIsTrue(status, 'Finished')) return finished('Finished');
    const active = flagAt(fieldsAt(object, 'spec'), 'active', true);
    if (conditionIsTrue(status, 'Admitted')) return running('Admitted');
    if (conditionIsTrue(status, 'QuotaReserved')) return pending('QuotaReserved');
    if (!active) return stuck('Inactive', 'it is inactive: set spec.active to true, or delete what it belongs to');
    return pending(conditionIsTrue(status, 'Evicted') ? 'Evicted' : 'Pending');
  },
  admittedTo: (object) => textAt(fieldsAt(fieldsAt(object, 'status'), 'admission'), 'clusterQueue'),
  remoteCluster: (object) => textAt(fieldsAt(object, 'status'), 'clusterName'),
  accounts: (object) => accountsOfTemplates(listAt(fieldsAt(object, 'spec'), 'podSets')),
};
