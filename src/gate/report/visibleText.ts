/**
 * Control characters, line and paragraph separators, what turns the direction of writing or is invisible, and halves of surrogate
 * pairs: a name made of them could hide what is written, or break a file that it is written into.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** The text with every such character written as `\u{202e}`. Tab and line feed stay. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
