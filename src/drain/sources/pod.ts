import { accountOf } from './accounts.js';
import { fieldsAt, textAt } from './fields.js';
import { isGated, podQueue } from './queueing.js';
import { finished, pending, running, type SourceKind } from './sourceKind.js';

/**
 * A pod, alone or of a group: the pods of a group that still live, and the group's one Workload, each count. A group of pods that all ended
 * holds nothing; a pod that replaces one of them counts when it is there.
 */
export const pod: SourceKind = {
  kind: 'Pod',
  group: '',
  versions: ['v1'],
  resource: 'pods',
  queue: podQueue,
  state(object) {
    const phase = textAt(fieldsAt(object, 'status'), 'phase') || 'Pending';
    if (phase === 'Succeeded' || phase === 'Failed') return finished(phase);
    if (isGated(object)) return pending('SchedulingGated');
    return phase === 'Pending' ? pending(phase) : running(phase);
  },
  accounts: (object) => [accountOf(fieldsAt(object, 'spec'))],
};
