import { describe, expect, test } from 'vitest';
import { judgeRolledOut } from '../../src/gate/flows/rollouts.js';
import type { AppReading } from '../../src/gate/rules/appConverged.js';
import { pod } from '../builders/pods.js';
import { appReading, deployment, template, webContract } from '../builders/rollouts.js';

const marked = { template: template({ restartMark: 'run-1' }) };
const quota = 'FailedCreate: pods "x" is forbidden: exceeded quota: q';
const live = (fields: Parameters<typeof deployment>[0] = {}): Partial<AppReading> => ({
  deployments: [deployment({ ...marked, ...fields })],
});

const rows: readonly [string, Partial<AppReading>, string][] = [
  ['carries the mark of this run and has updated all its pods', live(), 'ready'],
  ['is not there yet', { deployments: [] }, 'waiting rollouts.pending'],
  ['carries no mark', { deployments: [deployment()] }, 'failed rollouts.not-restarted'],
  [
    "carries an earlier run's mark",
    live({ template: template({ restartMark: 'run-0' }) }),
    'failed rollouts.not-restarted',
  ],
  ['is not observed yet', live({ observedGeneration: 1 }), 'waiting rollouts.pending'],
  ['has pods to update', live({ updatedReplicas: 0 }), 'waiting rollouts.pending'],
  ['is refused its pods by a quota', live({ updatedReplicas: 0, replicaFailure: quota }), 'failed rollouts.quota'],
  [
    'is refused its pods by a quota while others leave',
    { ...live({ updatedReplicas: 0, replicaFailure: quota }), pods: [pod(), pod({ terminating: true })] },
    'waiting rollouts.pending',
  ],
  ['was refused pods that it has by now', live({ replicaFailure: quota }), 'ready'],
  ['is paused', live({ paused: true }), 'failed app-convergence.paused'],
];

describe('a manager has been restarted when it', () => {
  test.each(rows)('%s', (_, reading, verdict) => {
    const result = judgeRolledOut(appReading(reading), [webContract], 'run-1');
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('is told with what holds it up', () => {
    const reading = appReading(live({ updatedReplicas: 0, replicaFailure: 'FailedCreate: webhook away' }));
    expect(judgeRolledOut(reading, [webContract], 'run-1')).toMatchObject({
      detail: 'web: updated 0/1 (FailedCreate: webhook away)',
    });
  });
});
