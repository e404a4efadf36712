import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedTail, oneLine, redactedTail, textBounds } from '../../src/core/boundedText.js';
import { createRedactor } from '../../src/core/redaction.js';

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n');

describe('boundedTail', () => {
  it.each([
    {
      name: 'leaves a text within the bounds as it is',
      text: 'a\nb',
      bounds: { lines: 2, characters: 100 },
      expected: 'a\nb',
    },
    {
      name: 'counts no line after a final line end',
      text: 'a\nb\n',
      bounds: { lines: 2, characters: 100 },
      expected: 'a\nb\n',
    },
    { name: 'makes line ends one', text: 'a\r\nb\rc', bounds: { characters: 100 }, expected: 'a\nb\nc' },
    {
      name: 'keeps the last lines, the notice being one of them',
      text: numbered(5),
      bounds: { lines: 3, characters: 100 },
      expected: '[truncated redacted error; original_characters=34]\nline 4\nline 5',
    },
    {
      name: 'keeps an empty first line of those that are left',
      text: `x\n\ny`,
      bounds: { lines: 2, characters: 100 },
      expected: '[truncated redacted error; original_characters=4]\ny',
    },
    {
      name: 'keeps the last characters',
      text: `${'a'.repeat(100)}tail`,
      bounds: { characters: 60 },
      expected: '[truncated redacted error; original_characters=104]\naaaatail',
    },
    {
      name: 'leaves the notice out where it has no room',
      text: 'a'.repeat(100),
      bounds: { characters: 10 },
      expected: 'a'.repeat(10),
    },
    {
      name: 'does not start in the middle of a character',
      text: `${'a'.repeat(100)}😀${'b'.repeat(8)}`,
      bounds: { characters: 61 },
      expected: `[truncated redacted error; original_characters=110]\n${'b'.repeat(8)}`,
    },
  ])('$name', ({ text, bounds, expected }) => {
    expect(boundedTail(text, bounds)).toBe(expected);
  });

  it('never passes its bounds, and what it keeps is the end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 60 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 400 }),
        (lines, maxLines, characters) => {
          const text = lines.join('\n');
          const tail = boundedTail(text, { lines: maxLines, characters });
          expect(tail.length).toBeLessThanOrEqual(characters);
          expect(tail.replace(/\n$/, '').split('\n').length).toBeLessThanOrEqual(maxLines);
          const kept = tail.replace(/^\[truncated redacted error; original_characters=\d+\]\n/, '');
          expect(text.replace(/\r\n?/g, '\n').endsWith(kept)).toBe(true);
        },
      ),
    );
  });
});

it('redacts before it cuts: no end of a secret survives at the cut', () => {
  const secret = 'Secret-0123456789-abcdefghij';
  const redactor = createRedactor([secret]);
  for (let after = 0; after < 120; after++) {
    const tail = redactedTail(redactor, `${'x'.repeat(500)}${secret}${'y'.repeat(after)}`, { characters: 100 });
    expect(tail).not.toMatch(/abcdefghij|hij/);
    expect(tail.length).toBeLessThanOrEqual(100);
  }
});

it('has the bounds of the gate', () => {
  expect(textBounds.commandError).toEqual({ lines: 60, characters: 16_000 });
});

it.each([
  ['a\n  b\tc ', 20, 'a b c'],
  ['abcdefgh', 5, 'abcd…'],
  ['abc😀def', 5, 'abc…'],
])('oneLine(%j, %i) is %j', (text, characters, expected) => {
  expect(oneLine(text, characters)).toBe(expected);
});
