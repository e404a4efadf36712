import { distinct, templateAccount } from './accounts.js';
import { countAt, type Fields, fieldsAt } from './fields.js';
import { rootQueue, templateQueue } from './queueing.js';
import { pending, running, type SourceKind, type WorkState } from './sourceKind.js';

/** Replicas that it has, whatever it wants: scaled to nothing or paused it stays what makes the next ones. */
function replicas(object: Fields): WorkState {
  const status = fieldsAt(object, 'status');
  const has = countAt(status, 'replicas');
  return has > 0 ? running(`${countAt(status, 'readyReplicas')} of ${has} ready`) : pending('NoReplicas');
}

const podTemplate = (object: Fields) => fieldsAt(fieldsAt(object, 'spec'), 'template');

/** Only its template decides: Kueue's webhook writes queue and mark there, and each pod becomes a Workload of its own. */
export const deployment: SourceKind = {
  kind: 'Deployment',
  group: 'apps',
  versions: ['v1'],
  resource: 'deployments',
  endless: true,
  queue: (object) => templateQueue(podTemplate(object)),
  state: replicas,
  accounts: (object) => [templateAccount(podTemplate(object))],
};

/** Kueue 0.17 labels its pods from the StatefulSet's own label; a template that is marked makes pods that Kueue takes as well. */
export const statefulSet: SourceKind = {
  kind: 'StatefulSet',
  group: 'apps',
  versions: ['v1'],
  resource: 'statefulsets',
  endless: true,
  queue: (object) => rootQueue(object) || templateQueue(podTemplate(object)) || '',
  state: replicas,
  accounts: (object) => [templateAccount(podTemplate(object))],
};

const groupTemplates = (object: Fields): readonly Fields[] => {
  const templates = fieldsAt(fieldsAt(object, 'spec'), 'leaderWorkerTemplate');
  const worker = fieldsAt(templates, 'workerTemplate');
  // Without a template of its own the leader is made from the worker's.
  return templates['leaderTemplate'] ? [fieldsAt(templates, 'leaderTemplate'), worker] : [worker];
};

export const leaderWorkerSet: SourceKind = {
  kind: 'LeaderWorkerSet',
  group: 'leaderworkerset.x-k8s.io',
  versions: ['v1'],
  resource: 'leaderworkersets',
  endless: true,
  queue: (object) => rootQueue(object) || (groupTemplates(object).map(templateQueue).find(Boolean) ?? ''),
  state: replicas,
  accounts: (object) => distinct(groupTemplates(object).map(templateAccount)),
};
