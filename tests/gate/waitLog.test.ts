import { describe, expect, test } from 'vitest';
import { waitLog } from '../../src/gate/provider/waitLog.js';
import { cleaned } from '../../src/gate/report/cleaned.js';

describe('what a layer waited for', () => {
  const logOf = (lines: number) => {
    let second = 0;
    const log = waitLog(() => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)));
    for (let i = 0; i < lines; i++) log.add(`line ${i}`);
    return log.entries();
  };

  test('is kept with the time of each line', () => {
    expect(logOf(2)).toEqual([
      { at: '2026-01-01T00:00:00.000Z', line: 'line 0' },
      { at: '2026-01-01T00:00:01.000Z', line: 'line 1' },
    ]);
  });

  test('of 200 lines is kept whole', () => {
    expect(logOf(200).map(({ line }) => line)).toEqual(Array.from({ length: 200 }, (_, i) => `line ${i}`));
  });

  test('of more lines keeps the first and the last hundred, and says how many are left out, and since when', () => {
    const entries = logOf(257);
    expect(entries).toHaveLength(201);
    expect([entries[99]?.line, entries[100], entries[101]?.line, entries[200]?.line]).toEqual([
      'line 99',
      { at: '2026-01-01T00:01:40.000Z', line: '(57 lines are left out here)' },
      'line 157',
      'line 256',
    ]);
  });
});

describe('plain data that is cleaned', () => {
  const clean = (text: string) => text.replaceAll('secret', '[REDACTED]');

  test('has no text left with a secret, whether value, key, or deep inside', () => {
    const data = { a: 'my secret', 'secret-key': ['secret', { b: 'x secret y' }], n: 5, t: true, z: null };
    expect(cleaned(data, clean)).toEqual({
      a: 'my [REDACTED]',
      '[REDACTED]-key': ['[REDACTED]', { b: 'x [REDACTED] y' }],
      n: 5,
      t: true,
      z: null,
    });
  });

  test('is whole where a secret begins with the letter of an escape', () => {
    const data = { log: 'first\nnext' };
    expect(cleaned(data, (text) => text.replaceAll('next', '[REDACTED]'))).toEqual({ log: 'first\n[REDACTED]' });
  });
});
