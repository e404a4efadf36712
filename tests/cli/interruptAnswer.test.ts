import { describe, expect, it } from 'vitest';
import { type InterruptAnswer, interruptAnswers } from '../../src/cli/interruptAnswer.js';

describe('an interrupt', () => {
  const rows: readonly [string, readonly (readonly [number, number])[], readonly InterruptAnswer[]][] = [
    ['ends the process when nothing must be let end', [[0, 0]], ['leave']],
    ['lets work under way end', [[1, 0]], ['let-end']],
    [
      'that npm passes on after a signal to the whole group is the same request',
      [
        [1, 0],
        [1, 1999],
      ],
      ['let-end', 'heard'],
    ],
    [
      'of a user who does not want to wait ends the process',
      [
        [1, 0],
        [1, 2000],
      ],
      ['let-end', 'leave'],
    ],
    [
      'ends the process once the work has ended',
      [
        [1, 0],
        [0, 10],
      ],
      ['let-end', 'leave'],
    ],
  ];
  it.each(rows)('%s', (_, interrupts, expected) => {
    const answer = interruptAnswers();
    expect(interrupts.map(([unfinished, nowMs]) => answer(unfinished, nowMs))).toEqual(expected);
  });
});
