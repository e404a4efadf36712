import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Labels, readSelector, selects } from '../../src/drain/selectors/labelSelector.js';
import { labelKeyFault, labelValueFault } from '../../src/drain/selectors/labelSyntax.js';
import { lostKeys } from '../../src/drain/selectors/lostKeys.js';

const expression = (key: unknown, operator: unknown, values?: unknown) => ({
  matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
});
const verdict = (selector: unknown, labels: Labels = {}) => {
  const read = readSelector(selector);
  return read.kind === 'invalid' ? 'invalid' : selects(read, labels);
};

describe('a label selector', () => {
  const labels = { team: 'vision', tier: '', 'example.com/zone': 'a' };
  test.each<[string, unknown, boolean | 'invalid']>([
    ['that is absent selects nothing', undefined, false],
    ['that is null selects nothing', null, false],
    ['that is empty selects everything', {}, true],
    ['with empty parts selects everything', { matchLabels: {}, matchExpressions: [] }, true],
    ['with null parts selects everything', { matchLabels: null, matchExpressions: null }, true],
    ['matches a label', { matchLabels: { team: 'vision' } }, true],
    ['matches an empty label', { matchLabels: { tier: '' } }, true],
    ['does not take a missing label for an empty one', { matchLabels: { missing: '' } }, false],
    ['does not match another value', { matchLabels: { team: 'speech' } }, false],
    ['needs all labels', { matchLabels: { team: 'vision', tier: 'x' } }, false],
    ['needs labels and expressions', { matchLabels: { team: 'vision' }, ...expression('tier', 'DoesNotExist') }, false],
    ['In: one of the values', expression('team', 'In', ['speech', 'vision']), true],
    ['In: none of the values', expression('team', 'In', ['speech']), false],
    ['In: no such label', expression('missing', 'In', ['']), false],
    ['NotIn: one of the values', expression('team', 'NotIn', ['vision']), false],
    ['NotIn: none of the values', expression('team', 'NotIn', ['speech']), true],
    ['NotIn: no such label', expression('missing', 'NotIn', ['a']), true],
    ['Exists', expression('tier', 'Exists'), true],
    ['Exists: no such label', expression('missing', 'Exists'), false],
    ['Exists with an empty list', expression('tier', 'Exists', []), true],
    ['DoesNotExist', expression('tier', 'DoesNotExist'), false],
    ['DoesNotExist: no such label', expression('missing', 'DoesNotExist'), true],
    ['the name of a property that every object has is no label', expression('constructor', 'Exists'), false],
    ['a key with a prefix', { matchLabels: { 'example.com/zone': 'a' } }, true],
    ['In without values', expression('team', 'In', []), 'invalid'],
    ['NotIn without values', expression('team', 'NotIn'), 'invalid'],
    ['Exists with values', expression('team', 'Exists', ['a']), 'invalid'],
    ['DoesNotExist with values', expression('team', 'DoesNotExist', ['a']), 'invalid'],
    ['another operator', expression('team', 'Gt', ['1']), 'invalid'],
    ['an operator in lower case', expression('team', 'in', ['vision']), 'invalid'],
    ['no operator', { matchExpressions: [{ key: 'team' }] }, 'invalid'],
    ['no key', { matchExpressions: [{ operator: 'Exists' }] }, 'invalid'],
    ['a key that is none', expression('-team', 'Exists'), 'invalid'],
    ['a label’s key that is none', { matchLabels: { 'a b': 'c' } }, 'invalid'],
    ['a value that is none', expression('team', 'NotIn', ['a b']), 'invalid'],
    ['a value that is no text', { matchLabels: { team: 1 } }, 'invalid'],
    ['values that are no list', expression('team', 'In', 'vision'), 'invalid'],
    ['labels that are no map', { matchLabels: ['team'] }, 'invalid'],
    ['expressions that are no list', { matchExpressions: {} }, 'invalid'],
    ['an expression that is no object', { matchExpressions: ['team'] }, 'invalid'],
    ['a text', 'team=vision', 'invalid'],
    ['one fault among good parts', { matchLabels: { team: 'vision' }, ...expression('tier', 'Same', []) }, 'invalid'],
  ])('%s', (_, selector, expected) => {
    expect(verdict(selector, labels)).toBe(expected);
  });
});

describe('the syntax of labels', () => {
  test.each([
    ['a'],
    ['A-b_c.d'],
    ['example.com/a'],
    ['a'.repeat(63)],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}/x`],
  ])('%s is a key', (key) => expect(labelKeyFault(key)).toBeUndefined());
  test.each([
    [''],
    ['/a'],
    ['a/'],
    ['a/b/c'],
    ['Example.com/a'],
    ['-a'],
    ['a-'],
    ['a\n'],
    ['a'.repeat(64)],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}/x`],
  ])('%j is no key', (key) => expect(labelKeyFault(key)).toBeDefined());
  test.each([[''], ['a'], ['A-b_c.d'], ['a'.repeat(63)]])('%j is a value', (value) =>
    expect(labelValueFault(value)).toBeUndefined(),
  );
  test.each([['-'], ['a b'], ['a/b'], ['a'.repeat(64)], ['a\n'], ['é']])('%j is no value', (value) =>
    expect(labelValueFault(value)).toBeDefined(),
  );
});

/** Small alphabets, so that keys and values meet; some of them no keys, values or operators at all. */
const key = fc.constantFrom('a', 'b', 'c.d/e', 'bad key');
const value = fc.constantFrom('x', 'y', '', 'bad value');
const labelsArbitrary = fc.dictionary(fc.constantFrom('a', 'b', 'c.d/e'), fc.constantFrom('x', 'y', ''), {
  noNullPrototype: true,
});
const selectorArbitrary = fc.option(
  fc.record(
    {
      matchLabels: fc.dictionary(fc.constantFrom('a', 'b', 'c.d/e'), value, { noNullPrototype: true, maxKeys: 2 }),
      matchExpressions: fc.array(
        fc.record(
          {
            key,
            operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
            values: fc.array(value, { maxLength: 3 }),
          },
          { requiredKeys: ['key', 'operator'] },
        ),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  ),
);

type Written = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
} | null;

/**
 * The oracle: sets of labels, instead of predicates over one. Of all label maps over the alphabet it keeps those that each part admits, one
 * part after the other, and looks whether the one in question is left.
 */
function oracle(selector: Written, labels: Labels): boolean | 'invalid' {
  if (selector === null) return false;
  const choices = [undefined, 'x', 'y', ''];
  let worlds = choices.flatMap((a) =>
    choices.flatMap((b) => choices.map((e) => ({ a, b, 'c.d/e': e }) as Record<string, string | undefined>)),
  );
  const pairs = Object.entries(selector.matchLabels ?? {});
  if (pairs.some(([, wanted]) => wanted.includes(' '))) return 'invalid';
  for (const [name, wanted] of pairs) worlds = worlds.filter((world) => world[name] === wanted);
  for (const { key: name, operator, values = [] } of selector.matchExpressions ?? []) {
    if (name.includes(' ') || values.some((each) => each.includes(' '))) return 'invalid';
    const takesValues = new Map([
      ['In', true],
      ['NotIn', true],
      ['Exists', false],
      ['DoesNotExist', false],
    ]).get(operator);
    if (takesValues === undefined || values.length > 0 !== takesValues) return 'invalid';
    const among = worlds.filter((world) =>
      takesValues ? values.some((each) => each === world[name]) : name in world && world[name] !== undefined,
    );
    worlds = operator === 'In' || operator === 'Exists' ? among : worlds.filter((world) => !among.includes(world));
  }
  return worlds.some((world) => ['a', 'b', 'c.d/e'].every((name) => world[name] === labels[name]));
}

describe('any selector', { timeout: 60_000 }, () => {
  it('gives what the oracle gives (X11)', () => {
    fc.assert(
      fc.property(selectorArbitrary, labelsArbitrary, (selector, labels) => {
        expect(verdict(selector, labels)).toBe(oracle(selector as Written, labels));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is invalid or not whatever the labels, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (selector) => {
        expect(['nothing', 'requirements', 'invalid']).toContain(readSelector(selector).kind);
      }),
    );
  });

  it('loses keys exactly when it selects the labels before and not after, and each of them is among the changed', () => {
    fc.assert(
      fc.property(selectorArbitrary, labelsArbitrary, fc.subarray(['a', 'b', 'c.d/e']), (written, before, stripped) => {
        const selector = readSelector(written);
        fc.pre(selector.kind !== 'invalid');
        const after = Object.fromEntries(Object.entries(before).filter(([name]) => !stripped.includes(name)));
        const lost = lostKeys(selector, before, after);
        expect(lost.length > 0).toBe(selects(selector, before) && !selects(selector, after));
        expect(lost.every((each) => stripped.includes(each))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
