import { accountsOfTemplates } from './accounts.js';
import { conditionIsTrue, countAt, type Fields, fieldsAt, fieldsOf, firstTrue, flagAt, listAt } from './fields.js';
import { rootQueue, suspended } from './queueing.js';
import { finished, pending, running, type SourceKind } from './sourceKind.js';

/** A job of the Kubeflow training operator 1.9 or of MPI operator 0.8: finished with condition Succeeded or Failed. */
function kubeflowJob(kind: string, resource: string, replicaSpecs: string, versions: readonly string[]): SourceKind {
  return {
    kind,
    group: 'kubeflow.org',
    versions,
    resource,
    queue: rootQueue,
    state(object) {
      const status = fieldsAt(object, 'status');
      const end = firstTrue(status, ['Succeeded', 'Failed']);
      if (end) return finished(end);
      if (isActive(status)) return running(conditionIsTrue(status, 'Restarting') ? 'Restarting' : 'Running');
      if (flagAt(fieldsAt(fieldsAt(object, 'spec'), 'runPolicy'), 'suspend')) return suspended(object);
      return pending('Pending');
    },
    accounts: (object) => accountsOfTemplates(Object.values(fieldsAt(fieldsAt(object, 'spec'), replicaSpecs))),
  };
}

function isActive(status: Fields): boolean {
  const replicas = Object.values(fieldsAt(status, 'replicaStatuses'));
  const active = replicas.some((each) => countAt(fieldsOf(each, 'replicaStatus'), 'active') > 0);
  return active || firstTrue(status, ['Running', 'Restarting']) !== undefined;
}

export const kubeflowJobs: readonly SourceKind[] = [
  kubeflowJob('PyTorchJob', 'pytorchjobs', 'pytorchReplicaSpecs', ['v1']),
  kubeflowJob('TFJob', 'tfjobs', 'tfReplicaSpecs', ['v1']),
  kubeflowJob('MPIJob', 'mpijobs', 'mpiReplicaSpecs', ['v2beta1', 'v1']),
  kubeflowJob('XGBoostJob', 'xgboostjobs', 'xgbReplicaSpecs', ['v1']),
  kubeflowJob('PaddleJob', 'paddlejobs', 'paddleReplicaSpecs', ['v1']),
  kubeflowJob('JAXJob', 'jaxjobs', 'jaxReplicaSpecs', ['v1']),
];

/** State of what reports its Jobs as a list of counts and is suspended by `spec.suspend`: JobSet 0.11, Kubeflow Trainer 2.2. */
function jobsState(object: Fields, ends: readonly string[], jobs: string) {
  const status = fieldsAt(object, 'status');
  const end = firstTrue(status, ends);
  if (end) return finished(end);
  if (listAt(status, jobs).some((each) => countAt(fieldsOf(each, jobs), 'active') > 0)) return running('Running');
  return flagAt(fieldsAt(object, 'spec'), 'suspend') ? suspended(object) : pending('Pending');
}

export const jobSet: SourceKind = {
  kind: 'JobSet',
  group: 'jobset.x-k8s.io',
  versions: ['v1alpha2'],
  resource: 'jobsets',
  queue: rootQueue,
  state: (object) => jobsState(object, ['Completed', 'Failed'], 'replicatedJobsStatus'),
  accounts: (object) =>
    accountsOfTemplates(
      listAt(fieldsAt(object, 'spec'), 'replicatedJobs').map((each) =>
        fieldsAt(fieldsAt(fieldsOf(each, 'replicatedJob'), 'template'), 'spec'),
      ),
    ),
};

/** Its pods come from a runtime that the object only refers to, so it may run as any account. */
export const trainJob: SourceKind = {
  kind: 'TrainJob',
  group: 'trainer.kubeflow.org',
  versions: ['v1alpha1'],
  resource: 'trainjobs',
  queue: rootQueue,
  state: (object) => jobsState(object, ['Complete', 'Failed'], 'jobsStatus'),
  accounts: () => 'any',
};
