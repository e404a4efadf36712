import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { declaredAccess } from '../../src/api/access/declaredAccess.js';
import { absent, found } from '../../src/core/outcome.js';
import { readWork, stateOfWork } from '../../src/drain/sources/readWork.js';
import { servedVersion } from '../../src/drain/sources/servedVersion.js';
import { isOptional, rankOf, sourceKindOf, sourceKinds } from '../../src/drain/sources/table.js';
import { conditions, controlledBy, managedLabels, queued, queueLabel, rowOf, runsAs, work } from '../builders/work.js';

type Fields = Parameters<typeof work>[1];
const phase = (kind: string, fields: Fields) => {
  const state = stateOfWork(rowOf(kind), work(kind, fields));
  return `${state.phase}: ${state.says}`;
};
const item = (object: { kind: string }) => {
  const read = readWork(rowOf(object.kind), object);
  if ('malformed' in read) throw new Error(read.malformed);
  return read;
};

describe('the end of work, by each kind’s own API', () => {
  const deployed = { conditions: [{ type: 'ResourcesDeployed', status: 'True' }] };
  const status = (of: object) => ({ status: of });
  test.each<[string, string, Fields, string]>([
    ['Workload', 'new', {}, 'pending: Pending'],
    ['Workload', 'with quota', status(conditions('QuotaReserved')), 'pending: QuotaReserved'],
    ['Workload', 'admitted', status(conditions('QuotaReserved', 'Admitted')), 'running: Admitted'],
    ['Workload', 'evicted and requeued', status(conditions('Evicted')), 'pending: Evicted'],
    ['Workload', 'finished', status(conditions('Admitted', 'Finished')), 'finished: Finished'],
    ['Workload', 'Finished=False', status({ conditions: [{ type: 'Finished', status: 'False' }] }), 'pending: Pending'],
    [
      'Workload',
      'Finished=Unknown',
      { status: { conditions: [{ type: 'Finished', status: 'Unknown' }] } },
      'pending: Pending',
    ],
    [
      'Workload',
      'finished, its conditions in any order',
      status(conditions('Finished', 'Admitted', 'QuotaReserved')),
      'finished: Finished',
    ],
    [
      'Workload',
      'admitted, its conditions in any order',
      status(conditions('Admitted', 'QuotaReserved')),
      'running: Admitted',
    ],
    ['Workload', 'inactive', { spec: { active: false } }, 'stuck: Inactive'],
    [
      'Workload',
      'inactive, still admitted',
      { spec: { active: false }, ...status(conditions('Admitted')) },
      'running: Admitted',
    ],
    ['Job', 'new', {}, 'pending: Pending'],
    ['Job', 'with pods', status({ active: 1 }), 'running: Running'],
    ['Job', 'complete', status(conditions('SuccessCriteriaMet', 'Complete')), 'finished: Complete'],
    ['Job', 'failed', status(conditions('Failed')), 'finished: Failed'],
    ['Job', 'SuccessCriteriaMet only', status({ active: 1, ...conditions('SuccessCriteriaMet') }), 'running: Running'],
    ['Job', 'FailureTarget only', status(conditions('FailureTarget')), 'pending: Pending'],
    [
      'Job',
      'suspended in a queue',
      { metadata: { labels: queueLabel('q') }, spec: { suspend: true } },
      'pending: Suspended',
    ],
    ['Job', 'suspended, pods still there', status({ active: 2, ...conditions('Suspended') }), 'running: Suspended'],
    ['Job', 'suspended in no queue', { spec: { suspend: true } }, 'stuck: Suspended'],
    [
      'Job',
      'suspended by what controls it',
      { metadata: controlledBy(work('JobSet')), spec: { suspend: true } },
      'pending: Suspended',
    ],
    ['CronJob', 'scheduled', {}, 'pending: Scheduled'],
    ['CronJob', 'suspended', { spec: { suspend: true } }, 'pending: Suspended'],
    ['RayJob', 'new', {}, 'pending: New'],
    [
      'RayJob',
      'Retrying, job FAILED',
      status({ jobDeploymentStatus: 'Retrying', jobStatus: 'FAILED' }),
      'running: Retrying',
    ],
    [
      'RayJob',
      'Running, job SUCCEEDED',
      status({ jobDeploymentStatus: 'Running', jobStatus: 'SUCCEEDED' }),
      'running: Running',
    ],
    ['RayJob', 'Suspending', status({ jobDeploymentStatus: 'Suspending' }), 'running: Suspending'],
    ['RayJob', 'Suspended in no queue', status({ jobDeploymentStatus: 'Suspended' }), 'stuck: Suspended'],
    ['RayJob', 'made suspended, in no queue', { spec: { suspend: true } }, 'stuck: New'],
    ['RayJob', 'Waiting', status({ jobDeploymentStatus: 'Waiting' }), 'pending: Waiting'],
    ['RayJob', 'Complete', status({ jobDeploymentStatus: 'Complete' }), 'finished: Complete'],
    ['RayJob', 'Failed', status({ jobDeploymentStatus: 'Failed' }), 'finished: Failed'],
    ['RayJob', 'ValidationFailed', status({ jobDeploymentStatus: 'ValidationFailed' }), 'stuck: ValidationFailed'],
    ['RayJob', 'in a state of later versions', status({ jobDeploymentStatus: 'Novel' }), 'running: Novel'],
    ['RayService', 'new', {}, 'pending: NotReady'],
    ['RayService', 'ready', status(conditions('Ready')), 'running: Ready'],
    ['RayCluster', 'new', {}, 'pending: New'],
    ['RayCluster', 'ready', status({ state: 'ready' }), 'running: ready'],
    ['RayCluster', 'failed', status({ state: 'failed' }), 'running: failed'],
    ['RayCluster', 'suspended', status({ state: 'suspended' }), 'pending: suspended'],
    ['Deployment', 'scaled to nothing', { spec: { replicas: 0 } }, 'pending: NoReplicas'],
    ['Deployment', 'with pods', status({ replicas: 2, readyReplicas: 1 }), 'running: 1 of 2 ready'],
    ['StatefulSet', 'with pods', status({ replicas: 1 }), 'running: 0 of 1 ready'],
    ['LeaderWorkerSet', 'scaled to nothing', {}, 'pending: NoReplicas'],
    ['Pod', 'new', {}, 'pending: Pending'],
    ['Pod', 'gated', { spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } }, 'pending: SchedulingGated'],
    ['Pod', 'running', status({ phase: 'Running' }), 'running: Running'],
    ['Pod', 'of a lost node', status({ phase: 'Unknown' }), 'running: Unknown'],
    ['Pod', 'succeeded', status({ phase: 'Succeeded' }), 'finished: Succeeded'],
    ['Pod', 'failed', status({ phase: 'Failed' }), 'finished: Failed'],
    ['JobSet', 'new', {}, 'pending: Pending'],
    ['JobSet', 'with jobs', status({ replicatedJobsStatus: [{ active: 1 }] }), 'running: Running'],
    ['JobSet', 'restarting', status(conditions('RestartingJobSet')), 'pending: Pending'],
    ['JobSet', 'completed', status(conditions('Completed')), 'finished: Completed'],
    ['JobSet', 'failed', status(conditions('Failed')), 'finished: Failed'],
    ['JobSet', 'suspended in no queue', { spec: { suspend: true } }, 'stuck: Suspended'],
    ['TrainJob', 'with jobs', status({ jobsStatus: [{ active: 1 }] }), 'running: Running'],
    ['TrainJob', 'complete', status(conditions('Complete')), 'finished: Complete'],
    ['TrainJob', 'Completed is no condition of it', status(conditions('Completed')), 'pending: Pending'],
    ['TrainJob', 'failed', status(conditions('Failed')), 'finished: Failed'],
    ...['PyTorchJob', 'TFJob', 'MPIJob', 'XGBoostJob', 'PaddleJob', 'JAXJob'].flatMap<[string, string, Fields, string]>(
      (kind) => [
        [kind, 'new', status(conditions('Created')), 'pending: Pending'],
        [kind, 'running', status({ replicaStatuses: { Worker: { active: 1 } } }), 'running: Running'],
        [kind, 'restarting', status(conditions('Restarting')), 'running: Restarting'],
        [kind, 'succeeded', status(conditions('Succeeded')), 'finished: Succeeded'],
        [kind, 'failed', status(conditions('Failed')), 'finished: Failed'],
        [kind, 'suspended in no queue', { spec: { runPolicy: { suspend: true } } }, 'stuck: Suspended'],
      ],
    ),
    ['AppWrapper', 'new', {}, 'pending: New'],
    ['AppWrapper', 'suspended in no queue', status({ phase: 'Suspended' }), 'stuck: Suspended'],
    ['AppWrapper', 'resetting', status({ phase: 'Resetting' }), 'running: Resetting'],
    ['AppWrapper', 'succeeded', status({ phase: 'Succeeded' }), 'finished: Succeeded'],
    ['AppWrapper', 'failed, resources still there', status({ phase: 'Failed', ...deployed }), 'running: Failed'],
    ['AppWrapper', 'failed', status({ phase: 'Failed' }), 'finished: Failed'],
    ['SparkApplication', 'new', {}, 'pending: NEW'],
    [
      'SparkApplication',
      'succeeding, may run again',
      status({ applicationState: { state: 'SUCCEEDING' } }),
      'running: SUCCEEDING',
    ],
    [
      'SparkApplication',
      'submission failed, may be tried again',
      status({ applicationState: { state: 'SUBMISSION_FAILED' } }),
      'pending: SUBMISSION_FAILED',
    ],
    ['SparkApplication', 'suspended in no queue', { spec: { suspend: true } }, 'stuck: NEW'],
    ['SparkApplication', 'completed', status({ applicationState: { state: 'COMPLETED' } }), 'finished: COMPLETED'],
    ['SparkApplication', 'failed', status({ applicationState: { state: 'FAILED' } }), 'finished: FAILED'],
  ])('%s, %s', (kind, _, fields, expected) => {
    expect(phase(kind, fields)).toBe(expected);
  });

  it('never comes for a kind that serves', () => {
    const endless = sourceKinds.filter((row) => row.endless).map((row) => row.kind);
    expect(endless).toEqual(['RayService', 'RayCluster', 'CronJob', 'Deployment', 'StatefulSet', 'LeaderWorkerSet']);
    for (const kind of endless)
      expect(
        phase(kind, { status: conditions('Complete', 'Completed', 'Failed', 'Finished', 'Succeeded') }),
      ).not.toMatch(/^finished/);
  });
});

describe('the queue that work names', () => {
  const template = (labels: object) => ({ template: { metadata: { labels } } });
  test.each<[string, { kind: string }, string | undefined]>([
    ...sourceKinds
      .filter((row) => !['Workload', 'Deployment', 'CronJob', 'Pod'].includes(row.kind))
      .map<[string, { kind: string }, string]>((row) => [`${row.kind} with the label`, queued(row.kind, 'q'), 'q']),
    ['a Job without the label', work('Job'), ''],
    ['a Workload by its spec', work('Workload', { spec: { queueName: 'q' } }), 'q'],
    [
      'a RayJob on a cluster of others is none of Kueue’s',
      queued('RayJob', 'q', { spec: { clusterSelector: { a: 'b' } } }),
      undefined,
    ],
    ['a RayJob with an empty clusterSelector', queued('RayJob', 'q', { spec: { clusterSelector: {} } }), 'q'],
    ['a Deployment by its template', work('Deployment', { spec: template(managedLabels('q')) }), 'q'],
    ['a Deployment with the label on itself only', queued('Deployment', 'q'), undefined],
    [
      'a Deployment whose template is not marked as managed',
      work('Deployment', { spec: template(queueLabel('q')) }),
      undefined,
    ],
    [
      'a Deployment whose template is marked and names none',
      work('Deployment', { spec: template({ 'kueue.x-k8s.io/managed': 'true' }) }),
      '',
    ],
    ['a StatefulSet by its template', work('StatefulSet', { spec: template(managedLabels('q')) }), 'q'],
    [
      'a LeaderWorkerSet by its worker’s template',
      work('LeaderWorkerSet', {
        spec: { leaderWorkerTemplate: { workerTemplate: { metadata: { labels: managedLabels('q') } } } },
      }),
      'q',
    ],
    ['a Pod that Kueue took', work('Pod', { metadata: { labels: managedLabels('q') } }), 'q'],
    ['a Pod that Kueue did not take', work('Pod', { metadata: { labels: queueLabel('q') } }), undefined],
    [
      'a gated Pod, whoever made it',
      work('Pod', {
        metadata: { labels: queueLabel('q') },
        spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] },
      }),
      'q',
    ],
    [
      'a CronJob by its job template',
      work('CronJob', { spec: { jobTemplate: { metadata: { labels: queueLabel('q') } } } }),
      'q',
    ],
    ['a CronJob with the label on itself only', queued('CronJob', 'q'), undefined],
  ])('%s', (_, object, queue) => {
    expect(item(object).queue).toBe(queue);
  });
});

describe('the accounts that work runs as', () => {
  const template = runsAs('sa');
  const groups = { headGroupSpec: { template }, workerGroupSpecs: [{ template: runsAs('w') }] };
  test.each<[string, { kind: string }, readonly string[] | 'any']>([
    ['Pod', work('Pod', { spec: { serviceAccountName: 'sa' } }), ['sa']],
    ['Pod that names none', work('Pod', { spec: {} }), ['default']],
    ['Pod with the field’s old name', work('Pod', { spec: { serviceAccount: 'old' } }), ['old']],
    ['Job', work('Job', { spec: { template } }), ['sa']],
    ['CronJob', work('CronJob', { spec: { jobTemplate: { spec: { template } } } }), ['sa']],
    ['Deployment', work('Deployment', { spec: { template } }), ['sa']],
    ['StatefulSet', work('StatefulSet', { spec: { template } }), ['sa']],
    [
      'LeaderWorkerSet',
      work('LeaderWorkerSet', {
        spec: { leaderWorkerTemplate: { leaderTemplate: template, workerTemplate: runsAs('w') } },
      }),
      ['sa', 'w'],
    ],
    [
      'LeaderWorkerSet without a leader',
      work('LeaderWorkerSet', { spec: { leaderWorkerTemplate: { workerTemplate: runsAs('w') } } }),
      ['w'],
    ],
    ['RayCluster', work('RayCluster', { spec: groups }), ['sa', 'w']],
    [
      'RayCluster that scales itself',
      work('RayCluster', { spec: { enableInTreeAutoscaling: true, headGroupSpec: {} } }),
      ['a-raycluster', 'default'],
    ],
    ['RayService', work('RayService', { spec: { rayClusterConfig: groups } }), ['sa', 'w']],
    [
      'RayJob',
      work('RayJob', { spec: { rayClusterSpec: groups, submitterPodTemplate: runsAs('submit') } }),
      ['sa', 'submit', 'w'],
    ],
    ['JobSet', work('JobSet', { spec: { replicatedJobs: [{ template: { spec: { template } } }] } }), ['sa']],
    ['TrainJob', work('TrainJob'), 'any'],
    ['PyTorchJob', work('PyTorchJob', { spec: { pytorchReplicaSpecs: { Master: { template } } } }), ['sa']],
    ['TFJob', work('TFJob', { spec: { tfReplicaSpecs: { Worker: { template } } } }), ['sa']],
    [
      'MPIJob',
      work('MPIJob', { spec: { mpiReplicaSpecs: { Launcher: { template }, Worker: {} } } }),
      ['default', 'sa'],
    ],
    ['XGBoostJob', work('XGBoostJob', { spec: { xgbReplicaSpecs: { Master: { template } } } }), ['sa']],
    ['PaddleJob', work('PaddleJob', { spec: { paddleReplicaSpecs: { Master: { template } } } }), ['sa']],
    ['JAXJob', work('JAXJob', { spec: { jaxReplicaSpecs: { Worker: { template } } } }), ['sa']],
    [
      'AppWrapper',
      work('AppWrapper', { spec: { components: [{ template: { kind: 'Job', spec: { template } } }] } }),
      ['default', 'sa'],
    ],
    [
      'SparkApplication',
      work('SparkApplication', { spec: { driver: { serviceAccount: 'd' }, executor: {} } }),
      ['d', 'default'],
    ],
    [
      'SparkApplication by its template',
      work('SparkApplication', { spec: { driver: { template }, executor: { serviceAccount: 'e' } } }),
      ['e', 'sa'],
    ],
    ['Workload', work('Workload', { spec: { podSets: [{ template }, { template: runsAs('w') }] } }), ['sa', 'w']],
  ])('%s', (_, object, accounts) => {
    expect(item(object).accounts).toEqual(accounts);
  });

  it('are tested for each kind', () => {
    expect(sourceKinds.filter((row) => item(work(row.kind)).accounts === 'any').map((row) => row.kind)).toEqual([
      'TrainJob',
    ]);
  });
});

describe('the table', () => {
  it('has a declared read for each kind, and each drain read but Kueue’s configuration has a row', () => {
    const declared = declaredAccess
      .filter((access) => access.path.startsWith('drain:') && access.resource !== 'configmaps')
      .map((access) => `${access.group}/${access.resource}`);
    expect(sourceKinds.map((row) => `${row.group}/${row.resource}`).sort()).toEqual(declared.sort());
  });

  it('holds each kind of a group once and finds it at any version', () => {
    expect(new Set(sourceKinds.map((row) => `${row.group}/${row.kind}`)).size).toBe(sourceKinds.length);
    expect(sourceKindOf('kueue.x-k8s.io/v9', 'Workload')?.row).toBe(rowOf('Workload'));
    expect(sourceKindOf('v1', 'Pod')?.row).toBe(rowOf('Pod'));
    for (const apiVersion of ['example.com/v1', 'batchy/v1', 'batch', 'v1', ''])
      expect(sourceKindOf(apiVersion, 'Job')).toBeUndefined();
    expect(sourceKinds.map(rankOf)).toEqual(sourceKinds.map((_, at) => at));
  });

  it('knows which kinds a cluster may lack', () => {
    expect(sourceKinds.filter((row) => !isOptional(row)).map((row) => row.kind)).toEqual([
      'Job',
      'CronJob',
      'Deployment',
      'StatefulSet',
      'Pod',
    ]);
  });
});

describe('an object that cannot be understood', { timeout: 60_000 }, () => {
  test.each<[string, string, unknown]>([
    ['no object', 'Job', 'text'],
    ['no name', 'Job', { metadata: {} }],
    ['labels that are no map', 'Job', { metadata: { name: 'j', labels: [] } }],
    ['a queue label that is no text', 'Job', { metadata: { name: 'j', labels: { 'kueue.x-k8s.io/queue-name': 1 } } }],
    ['conditions that are no list', 'Job', { metadata: { name: 'j' }, status: { conditions: {} } }],
    [
      'a condition without a status, beside Complete',
      'Job',
      { metadata: { name: 'j' }, status: { conditions: [{ type: 'x' }, { type: 'Complete', status: 'True' }] } },
    ],
    ['a status that is no object', 'RayJob', { metadata: { name: 'j' }, status: 'Complete' }],
    [
      'a deletion time that is no time',
      'Pod',
      { metadata: { name: 'j', deletionTimestamp: 'soon' }, status: { phase: 'Failed' } },
    ],
    [
      'a queue name that is no text',
      'Workload',
      { metadata: { name: 'w' }, spec: { queueName: {} }, status: conditions('Finished') },
    ],
    [
      'owners that are no list',
      'Workload',
      { metadata: { name: 'w', ownerReferences: {} }, status: conditions('Finished') },
    ],
  ])('%s is malformed', (_, kind, object) => {
    expect(readWork(rowOf(kind), object)).toHaveProperty('malformed');
    expect(stateOfWork(rowOf(kind), object).phase).toBe('running');
  });

  it('never throws and is never taken for finished, whatever a field holds', () => {
    const broken = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.anything()));
    fc.assert(
      fc.property(fc.constantFrom(...sourceKinds), broken, (row, status) => {
        const state = stateOfWork(row, { metadata: { name: 'x' }, status });
        expect(state.phase).not.toBe('finished');
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...sourceKinds), fc.anything(), (row, object) => {
        expect(() => readWork(row, object)).not.toThrow();
      }),
    );
  });
});

describe('the version under which a kind is read', () => {
  const row = rowOf('Workload');
  test.each([
    ['the preferred one', ['v1beta1', 'v1beta2'], true, found('v1beta2')],
    ['another that is known', ['v1beta1'], true, found('v1beta1')],
    ['a known one, though discovery is stale', ['v1beta1'], false, found('v1beta1')],
    ['none: the kind is absent', [], true, absent],
    [
      'none in stale discovery: it may be there',
      [],
      false,
      { kind: 'unreadable', reason: 'workloads.kueue.x-k8s.io is not in discovery, which is stale', retryable: true },
    ],
    [
      'only one that is unknown: it is there',
      ['v2'],
      true,
      {
        kind: 'unreadable',
        reason: 'workloads.kueue.x-k8s.io is served only as v2, not as v1beta2, v1beta1',
        retryable: false,
      },
    ],
  ])('%s', (_, versions, fresh, expected) => {
    expect(servedVersion(row, { versions, fresh })).toEqual(expected);
  });
});
