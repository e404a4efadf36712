import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evidenceBlock,
  evidenceHeader,
  evidenceKeys,
  evidenceLines,
  lineLimit,
  notObserved,
} from '../../src/gate/report/evidenceLines.js';

const key = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(_[a-z0-9]{1,6}){0,4}$/);

describe('a line of evidence', () => {
  test('is key=value when it fits', () => {
    expect(evidenceLines('task_result', '5')).toEqual(['task_result=5']);
  });

  test('of exactly 72 characters is one line, of 73 is two parts', () => {
    expect(evidenceLines('k', 'v'.repeat(70))).toHaveLength(1);
    expect(evidenceLines('k', 'v'.repeat(71))).toEqual([
      'k_parts=002',
      `k_part_001=${'v'.repeat(61)}`,
      `k_part_002=${'v'.repeat(10)}`,
    ]);
  });

  test('cannot be forged by a line end in a value', () => {
    expect(evidenceLines('task_id', 'x\ntask_state=SUCCEEDED')).toEqual(['task_id=x\\ntask_state=SUCCEEDED']);
  });

  test('never exceeds 72 characters, and its parts join to the value', () => {
    fc.assert(
      fc.property(key, fc.string({ unit: fc.stringMatching(/^[!-~]$/), maxLength: 900 }), (name, value) => {
        const lines = evidenceLines(name, value);
        expect(lines.every((line) => line.length <= lineLimit && !/[\r\n]/.test(line))).toBe(true);
        const joined =
          lines.length === 1
            ? lines[0]?.slice(name.length + 1)
            : lines
                .slice(1)
                .map((line) => line.slice(`${name}_part_000=`.length))
                .join('');
        expect(joined).toBe(value);
      }),
    );
  });

  test.each(['Task', 'task-id', '_x', 'x__y', ''])('of the key "%s" is refused', (name) => {
    expect(() => evidenceLines(name, '')).toThrow(RangeError);
  });

  test('of more than 999 parts is refused', () => {
    expect(() => evidenceLines('k', 'v'.repeat(61 * 999 + 1))).toThrow('more than 999');
  });
});

describe('the evidence block', () => {
  test('has its header, then 42 keys in their order, with not-observed where nothing was observed', () => {
    const lines = evidenceBlock({ task_result: '5' }, (text) => text);
    expect(lines[0]).toBe(evidenceHeader);
    expect(evidenceKeys).toHaveLength(42);
    expect(lines.slice(1)).toEqual(evidenceKeys.map((one) => `${one}=${one === 'task_result' ? '5' : notObserved}`));
  });

  test('is cleaned before it is cut into parts', () => {
    const secret = 'S'.repeat(100);
    const lines = evidenceBlock({ docker_host: secret }, (text) => text.replaceAll(secret, '[REDACTED]'));
    expect(lines).toContain('docker_host=[REDACTED]');
    expect(lines.join('')).not.toContain('SSS');
  });
});
