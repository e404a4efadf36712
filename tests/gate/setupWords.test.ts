import { describe, expect, it } from 'vitest';
import { anyWords, setupWords } from '../../src/gate/rules/setupWords.js';

describe('the last words of setup', () => {
  const rows: readonly [string, string, string | undefined][] = [
    ['are its step and its error', '{"step":"migrate","error":"relation exists"}', 'step migrate: relation exists'],
    ['are one line', '{"step":"a\\nb","error":"c\\n\\td"}', 'step a b: c d'],
    [
      'are bounded, both',
      JSON.stringify({ step: 's'.repeat(200), error: 'e'.repeat(2_000) }),
      `step ${'s'.repeat(99)}…: ${'e'.repeat(999)}…`,
    ],
    ['without a step are not read', '{"error":"x"}', undefined],
    ['without an error are not read', '{"step":"x"}', undefined],
    ['with an error that is no text are not read', '{"step":"x","error":1}', undefined],
    ['that are no object are not read', 'null', undefined],
    ['that are no JSON are not read', 'Killed', undefined],
  ];
  it.each(rows)('%s', (_name, message, words) => {
    expect(setupWords(message)).toBe(words);
  });

  it('of any form are one bounded line', () => {
    expect(anyWords(`a\nb ${'x'.repeat(2_000)}`)).toBe(`a b ${'x'.repeat(995)}…`);
  });
});
