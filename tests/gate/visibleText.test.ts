import { describe, expect, test } from 'vitest';
import { visibleText } from '../../src/gate/report/visibleText.js';

describe('a text that could hide what it is', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['a turn of the direction of writing', 'a\u202etxt.exe', 'a\\u{202e}txt.exe'],
    ['an isolated direction', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['an escape of the terminal', '\u001b[2J', '\\u{1b}[2J'],
    ['a carriage return', 'good\rbad', 'good\\u{d}bad'],
    ['a NUL', '\u0000', '\\u{0}'],
    ['a control character of the second set', '\u0085', '\\u{85}'],
    ['a space of no width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['half of a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
    ['what XML forbids', '\uffff\ufffe', '\\u{ffff}\\u{fffe}'],
    ['an invisible tag', '\u{e0041}', '\\u{e0041}'],
  ];
  test.each(rows)('shows %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test('is left alone where it is an ordinary one, tabs, line ends and emoji included', () => {
    const text = 'Größe\t5 €\nпод 日本 👩🏽 \u{1f468}';
    expect(visibleText(text)).toBe(text);
  });
});
