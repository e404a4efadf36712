import { templateAccount } from './accounts.js';
import { conditionIsTrue, countAt, entryAt, type Fields, fieldsAt, firstTrue, flagAt } from './fields.js';
import { rootQueue, suspended } from './queueing.js';
import { finished, pending, running, type SourceKind } from './sourceKind.js';

const jobAccount = (job: Fields) => templateAccount(fieldsAt(fieldsAt(job, 'spec'), 'template'));

/** `SuccessCriteriaMet`, `FailureTarget` and `Suspended` are not the end of a Job: its pods may still run, or run again. */
export const job: SourceKind = {
  kind: 'Job',
  group: 'batch',
  versions: ['v1'],
  resource: 'jobs',
  queue: rootQueue,
  state(object) {
    const status = fieldsAt(object, 'status');
    const end = firstTrue(status, ['Complete', 'Failed']);
    if (end) return finished(end);
    const active = countAt(status, 'active');
    if (conditionIsTrue(status, 'Suspended') || flagAt(fieldsAt(object, 'spec'), 'suspend'))
      return active > 0 ? running('Suspended') : suspended(object);
    return active > 0 ? running('Running') : pending('Pending');
  },
  accounts: (object) => [jobAccount(object)],
};

/** Kueue takes no CronJob, but each Job that it makes has the queue label of its job template. */
export const cronJob: SourceKind = {
  kind: 'CronJob',
  group: 'batch',
  versions: ['v1'],
  resource: 'cronjobs',
  endless: true,
  queue: (object) =>
    entryAt(
      fieldsAt(fieldsAt(fieldsAt(object, 'spec'), 'jobTemplate'), 'metadata'),
      'labels',
      'kueue.x-k8s.io/queue-name',
    ) || undefined,
  state: (object) => pending(flagAt(fieldsAt(object, 'spec'), 'suspend') ? 'Suspended' : 'Scheduled'),
  accounts: (object) => [jobAccount(fieldsAt(fieldsAt(object, 'spec'), 'jobTemplate'))],
};
