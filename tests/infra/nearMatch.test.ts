import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearMatch } from '../../src/infra/nearMatch.js';

describe('nearMatch', () => {
  const candidates = ['profile', 'rayRestart', 'webUrl', 'drain'];
  it.each([
    { name: 'finds a missing letter', word: 'profle', expected: 'profile' },
    { name: 'finds swapped letters', word: 'wbeUrl', expected: 'webUrl' },
    { name: 'ignores the case', word: 'RAYRESTART', expected: 'rayRestart' },
    { name: 'finds nothing near a different word', word: 'namespace', expected: undefined },
    { name: 'finds one wrong letter in a short word', word: 'train', expected: 'drain' },
    { name: 'does not replace most of a short word', word: 'dog', expected: undefined },
  ])('$name', ({ word, expected }) => {
    expect(nearMatch(word, candidates)).toBe(expected);
  });

  it('measures a distance: zero only to itself, and the same in both directions', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
