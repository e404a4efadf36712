import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSecretValue, judgeToken } from '../../src/gate/rules/token.js';

const a = (count: number) => 'a'.repeat(count);

describe('the API token', () => {
  test.each([
    ['32 characters', a(32)],
    ['31 and one =', `${a(31)}=`],
    ['30 and two =', `${a(30)}==`],
    ['510 and two =', `${a(510)}==`],
    ['511 and one =', `${a(511)}=`],
    ['512 characters', a(512)],
    ['every allowed character', 'ABCxyz0189._~+/-ABCxyz0189._~+/-'],
  ])('of %s is accepted', (_, token) => {
    expect(judgeToken(token)).toEqual({ kind: 'ready', facts: { characters: token.length } });
  });

  test.each([
    ['31 characters', a(31), 'length'],
    ['513 characters', a(513), 'length'],
    ['512 and one =', `${a(512)}=`, 'length'],
    ['511 and two =', `${a(511)}==`, 'length'],
    ['a trailing newline', `${a(32)}\n`, 'characters'],
    ['a trailing tab', `${a(32)}\t`, 'characters'],
    ['a trailing space', `${a(32)} `, 'characters'],
    ['a quote', `${a(32)}"`, 'characters'],
    ['a backslash', `${a(32)}\\`, 'characters'],
    ['an = inside', `${a(16)}=${a(16)}`, 'characters'],
    ['three =', `${a(32)}===`, 'characters'],
    ['= alone', '='.repeat(32), 'characters'],
    ['a euro sign', `${a(32)}€`, 'characters'],
  ])('with %s is refused', (_, token, code) => {
    expect(judgeToken(token)).toMatchObject({ kind: 'failed', code: `preflight.token-${code}` });
  });

  test('is never repeated in what is said of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{10,31}$/), (token) => {
        const verdict = judgeToken(token);
        expect(verdict.kind === 'failed' && verdict.detail.includes(token)).toBe(false);
      }),
    );
  });
});

describe("a Secret's value", () => {
  test('that was encoded decodes to what it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const wellFormed = text.toWellFormed();
        expect(decodeSecretValue(Buffer.from(wellFormed, 'utf8').toString('base64'))).toBe(wellFormed);
      }),
    );
  });

  test.each([
    ['without its padding', 'YWI'],
    ['with a space', 'YWI= '],
    ['in base64url', '_-8='],
    ['of bytes that are no UTF-8', '//8='],
  ])('%s is refused', (_, encoded) => {
    expect(decodeSecretValue(encoded)).toBeUndefined();
  });
});
