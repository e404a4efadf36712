import { describe, expect, test } from 'vitest';
import { absent, found, unreadable } from '../../src/core/outcome.js';
import { judgeDrained, type WorkSource } from '../../src/drain/drained.js';
import {
  type FiniteWork,
  unfinishedJob,
  unfinishedRayJob,
  unfinishedWorkload,
  type WorkObject,
} from '../../src/drain/finiteWork.js';

const object = (fields: Partial<WorkObject> = {}, metadata: Partial<WorkObject['metadata']> = {}): WorkObject => ({
  metadata: { name: 'w', namespace: 'django-ray', ...metadata },
  ...fields,
});
const conditions = (...types: readonly string[]) => ({
  status: { conditions: types.map((type) => ({ type, status: 'True' })) },
});
const stateOf = (work: FiniteWork | undefined) => work?.state ?? 'finished';

describe('which work is unfinished', () => {
  test.each([
    ['a Workload without conditions', object(), 'Pending'],
    ['a Workload with quota', object(conditions('QuotaReserved')), 'QuotaReserved'],
    ['an admitted Workload', object(conditions('QuotaReserved', 'Admitted')), 'Admitted'],
    ['a finished Workload', object(conditions('Admitted', 'Finished')), 'finished'],
    [
      'a Workload whose Finished is False',
      object({ status: { conditions: [{ type: 'Finished', status: 'False' }] } }),
      'Pending',
    ],
    [
      'a Workload of a RayCluster, which does not end',
      object({}, { ownerReferences: [{ kind: 'RayCluster', name: 'ray' }] }),
      'finished',
    ],
    ['a Workload of a Job', object({}, { ownerReferences: [{ kind: 'Job', name: 'j' }] }), 'Pending'],
  ])('%s is %s', (_, workload, state) => {
    expect(stateOf(unfinishedWorkload(workload))).toBe(state);
  });

  test.each([
    ['a Job that runs', object({ status: { active: 1 } }), 'Running'],
    ['a Job that has not begun', object(), 'Pending'],
    ['a suspended Job', object(conditions('Suspended')), 'Suspended'],
    ['a complete Job', object(conditions('Complete')), 'finished'],
    ['a failed Job', object(conditions('Failed')), 'finished'],
  ])('%s is %s', (_, job, state) => {
    expect(stateOf(unfinishedJob(job))).toBe(state);
  });

  test.each([
    ['', 'New'],
    ['Initializing', 'Initializing'],
    ['Running', 'Running'],
    ['Suspended', 'Suspended'],
    ['Retrying', 'Retrying'],
    ['Complete', 'finished'],
    ['Failed', 'finished'],
    ['ValidationFailed', 'finished'],
    ['SomethingNew', 'SomethingNew'],
  ])('a RayJob in state "%s" is %s', (jobDeploymentStatus, state) => {
    expect(stateOf(unfinishedRayJob(object({ status: { jobDeploymentStatus } })))).toBe(state);
  });
});

describe('whether all is drained', () => {
  const work: FiniteWork = { kind: 'Job', identity: 'Job/django-ray/nightly', state: 'Running' };
  const source = (name: string, outcome: WorkSource['outcome']): WorkSource => ({ name, outcome });

  test('it is when each source is empty or does not exist', () => {
    expect(judgeDrained([source('Jobs', found([])), source('Workloads', absent)])).toEqual({
      kind: 'ready',
      facts: { empty: ['Jobs'], notPresent: ['Workloads'] },
    });
  });

  test('unfinished work is waited for, by name and state', () => {
    expect(judgeDrained([source('Jobs', found([work]))])).toEqual({
      kind: 'waiting',
      code: 'drain.unfinished-work',
      detail: '1 unfinished: Job/django-ray/nightly (Running)',
    });
  });

  test('much work is counted, and only some of it named', () => {
    const result = judgeDrained([source('Jobs', found(Array.from({ length: 9 }, () => work)))]);
    expect(result).toMatchObject({ detail: expect.stringMatching(/^9 unfinished: .* and 4 more$/) });
  });

  test('what cannot be read fails closed', () => {
    expect(judgeDrained([source('Jobs', found([])), source('RayJobs', unreadable('403', false))])).toMatchObject({
      kind: 'failed',
      code: 'drain.unreadable',
    });
  });

  test('what cannot be read just now is waited for', () => {
    expect(judgeDrained([source('executions', unreadable('503', true))])).toMatchObject({
      kind: 'waiting',
      code: 'drain.unreadable',
    });
  });

  test('nothing counts as drained while anything else is unread, however empty the rest is', () => {
    const kinds = ['found', 'absent'] as const;
    for (const kind of kinds) {
      const other = kind === 'found' ? found([]) : absent;
      expect(judgeDrained([source('a', other), source('b', unreadable('x', true))]).kind).not.toBe('ready');
    }
  });
});
