import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunDecision } from '../../src/gate/flows/decideRun.js';
import { newRunId, startOfRun } from '../../src/gate/model/runId.js';
import { decisionSentence } from '../../src/gate/report/decisionSentence.js';

const runId = '20260131T120000Z-1a2b3c4d';
const proven: RunDecision = { kind: 'still-proven', runId, since: '2026-01-31T12:03:00Z', checked: ['a', 'b'] };
const continued: RunDecision = { kind: 'continued', runId, startedAt: startOfRun(runId) };
const fresh: RunDecision = { kind: 'new', runId, why: 'nothing was proven yet' };

describe('what is said of a run', () => {
  const stillProven = `still proven by run ${runId} of 2026-01-31T12:03:00Z (checked live: a, b)`;
  const unfinished = `run ${runId}, started at 2026-01-31T12:00:00Z, that has no evidence yet`;
  const rows: readonly [string, RunDecision, boolean, string][] = [
    ['that still holds, by an up', proven, false, stillProven],
    ['that still holds, by a preview', proven, true, stillProven],
    ['that has not ended, by an up', continued, false, `continuing ${unfinished}`],
    [
      'that has not ended, by a preview, which goes on with nothing',
      continued,
      true,
      `up would continue ${unfinished}`,
    ],
    ['that is new, by an up', fresh, false, `new run ${runId}: nothing was proven yet`],
    [
      'that an up would make, without an id that it will not have',
      fresh,
      true,
      'up would start a new run: nothing was proven yet',
    ],
  ];
  it.each(rows)('%s', (_name, decision, preview, sentence) => {
    expect(decisionSentence(decision, preview)).toBe(sentence);
  });
});

describe('the id of a run', () => {
  it('says when the run began, to the second', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (now) => {
        expect(startOfRun(newRunId(now))).toBe(now.toISOString().replace(/\.\d+/, ''));
      }),
    );
  });

  it('of another form says itself', () => {
    expect(startOfRun('run-1')).toBe('run-1');
  });
});
