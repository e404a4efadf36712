import { accountsAnywhere, defaultAccount, distinct } from './accounts.js';
import { conditionIsTrue, type Fields, fieldsAt, flagAt, textAt } from './fields.js';
import { rootQueue, suspended } from './queueing.js';
import { finished, pending, running, type SourceKind } from './sourceKind.js';

/** AppWrapper 1.2: after Failed its resources may still be there, as condition ResourcesDeployed says. */
export const appWrapper: SourceKind = {
  kind: 'AppWrapper',
  group: 'workload.codeflare.dev',
  versions: ['v1beta2'],
  resource: 'appwrappers',
  queue: rootQueue,
  state(object) {
    const status = fieldsAt(object, 'status');
    const phase = textAt(status, 'phase') || 'New';
    if (phase === 'Succeeded') return finished(phase);
    if (phase === 'Failed' && !conditionIsTrue(status, 'ResourcesDeployed')) return finished(phase);
    if (phase === 'Suspended') return suspended(object);
    return phase === 'New' ? pending(phase) : running(phase);
  },
  accounts: (object) => accountsAnywhere(fieldsAt(object, 'spec')['components']),
};

function sparkAccount(part: Fields): readonly string[] {
  const template = fieldsAt(fieldsAt(part, 'template'), 'spec');
  const named = [textAt(part, 'serviceAccount'), textAt(template, 'serviceAccountName')].filter((each) => each !== '');
  return named.length > 0 ? named : [defaultAccount];
}

/**
 * Spark operator 2.5: COMPLETED and FAILED are the end (util.IsTerminated). SUBMISSION_FAILED is not, though Kueue 0.17 takes it for one:
 * the operator submits again from there, and goes on to FAILED when it will not.
 */
export const sparkApplication: SourceKind = {
  kind: 'SparkApplication',
  group: 'sparkoperator.k8s.io',
  versions: ['v1beta2'],
  resource: 'sparkapplications',
  queue: rootQueue,
  state(object) {
    const says = textAt(fieldsAt(fieldsAt(object, 'status'), 'applicationState'), 'state') || 'NEW';
    if (says === 'COMPLETED' || says === 'FAILED') return finished(says);
    if (says === 'SUSPENDED' || (says === 'NEW' && flagAt(fieldsAt(object, 'spec'), 'suspend')))
      return { ...suspended(object), says };
    return says === 'NEW' || says === 'SUBMISSION_FAILED' || says === 'PENDING_RERUN' ? pending(says) : running(says);
  },
  accounts(object) {
    const spec = fieldsAt(object, 'spec');
    return distinct([...sparkAccount(fieldsAt(spec, 'driver')), ...sparkAccount(fieldsAt(spec, 'executor'))]);
  },
};
