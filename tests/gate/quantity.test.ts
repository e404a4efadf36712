import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuantity, wholeQuantity } from '../../src/gate/model/quantity.js';

describe('a quantity in one form', () => {
  test.each([
    ['1', '1'],
    [1, '1'],
    ['1000m', '1'],
    ['500m', '500m'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['0.0001', '1m'],
    ['1u', '1m'],
    ['2Gi', '2147483648'],
    ['1.5Gi', '1610612736'],
    ['256Mi', '268435456'],
    ['1k', '1000'],
    ['1e3', '1000'],
    ['1E3', '1000'],
    ['1E', '1000000000000000000'],
    ['0', '0'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  test.each(['', 'two', '1 Gi', '-1', '1GB', '0x10', 'Gi', '1.2.3'])('"%s" is none and stays', (given) => {
    expect(canonicalQuantity(given)).toBe(given);
    expect(wholeQuantity(given)).toBeUndefined();
  });

  test('what is no text and no number stays', () => {
    expect(canonicalQuantity({ a: 1 })).toEqual({ a: 1 });
    expect(canonicalQuantity(undefined)).toBeUndefined();
  });

  test('whole numbers are rounded up', () => {
    expect([wholeQuantity('1500m'), wholeQuantity('2Gi'), wholeQuantity('1m')]).toEqual(['2', '2147483648', '1']);
  });

  test('equal amounts are equal texts, whatever the unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (n) => {
        const forms = [`${n}`, `${n * 1000}m`, `${n}.0`, `${n}e0`, `0${n}`].map(canonicalQuantity);
        expect(new Set(forms).size).toBe(1);
        expect(canonicalQuantity(`${n}Ki`)).toBe(canonicalQuantity(n * 1024));
      }),
    );
  });
});
