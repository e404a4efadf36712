import { distinct, rayAccounts, templateAccount } from './accounts.js';
import { conditionIsTrue, fieldsAt, flagAt, textAt } from './fields.js';
import { rootQueue, suspended } from './queueing.js';
import { finished, pending, running, type SourceKind, stuck } from './sourceKind.js';

/**
 * Finished with deployment status Complete or Failed (KubeRay 1.6.2, IsJobDeploymentTerminal): a failure that is retried is stored as
 * Retrying, so Failed stays. ValidationFailed is left again when the spec is mended. A RayJob that selects a cluster of others is none of
 * Kueue's (Kueue 0.17, rayjob Skip).
 */
export const rayJob: SourceKind = {
  kind: 'RayJob',
  group: 'ray.io',
  versions: ['v1'],
  resource: 'rayjobs',
  queue: (object) =>
    Object.keys(fieldsAt(fieldsAt(object, 'spec'), 'clusterSelector')).length > 0 ? undefined : rootQueue(object),
  state(object) {
    const says = textAt(fieldsAt(object, 'status'), 'jobDeploymentStatus') || 'New';
    if (says === 'Complete' || says === 'Failed') return finished(says);
    if (says === 'ValidationFailed') return stuck(says, 'its spec is invalid: mend it or delete it');
    if (says === 'Suspended' || (says === 'New' && flagAt(fieldsAt(object, 'spec'), 'suspend')))
      return { ...suspended(object), says };
    return says === 'New' || says === 'Waiting' ? pending(says) : running(says);
  },
  accounts(object) {
    const spec = fieldsAt(object, 'spec');
    const submitter = templateAccount(fieldsAt(spec, 'submitterPodTemplate'));
    return distinct([submitter, ...rayAccounts(fieldsAt(spec, 'rayClusterSpec'), '')]);
  },
};

/** It serves until it is deleted, whatever becomes of its Workload. */
export const rayService: SourceKind = {
  kind: 'RayService',
  group: 'ray.io',
  versions: ['v1'],
  resource: 'rayservices',
  endless: true,
  queue: rootQueue,
  state: (object) => (conditionIsTrue(fieldsAt(object, 'status'), 'Ready') ? running('Ready') : pending('NotReady')),
  accounts: (object) => rayAccounts(fieldsAt(fieldsAt(object, 'spec'), 'rayClusterConfig'), ''),
};

export const rayCluster: SourceKind = {
  kind: 'RayCluster',
  group: 'ray.io',
  versions: ['v1'],
  resource: 'rayclusters',
  endless: true,
  queue: rootQueue,
  state(object) {
    const says = textAt(fieldsAt(object, 'status'), 'state') || 'New';
    return says === 'New' || says === 'suspended' ? pending(says) : running(says);
  },
  accounts: (object) => rayAccounts(fieldsAt(object, 'spec'), textAt(fieldsAt(object, 'metadata'), 'name')),
};
