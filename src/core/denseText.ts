/** A text without its white space (or other separators), and where each character that is left stood. */
export interface DenseText {
  readonly text: string;
  /** `origin[i]` is the index in the original of character `i`. */
  readonly origin: Uint32Array;
}

export const blanks = /\s+/g;

/** Also line ends that are escaped, at any depth (`\n`, `\\n`). */
export const escapedBlanks = /(?:\s|\\+[nrt])+/g;

/** Also what stands between the bytes of a hex dump: `:`, `-`, `,`, `0x`, `\x`. */
export const hexSeparators = /(?:\s|\\+[nrtx]|[:,-]|(?<![0-9a-f])0x)+/g;

export function dense(text: string, separators: RegExp): DenseText {
  const origin = new Uint32Array(text.length);
  const kept: string[] = [];
  let length = 0;
  const keep = (start: number, end: number) => {
    kept.push(text.slice(start, end));
    for (let at = start; at < end; at++) origin[length++] = at;
  };
  let start = 0;
  for (const match of text.matchAll(separators)) {
    keep(start, match.index);
    start = match.index + match[0].length;
  }
  keep(start, text.length);
  return { text: kept.join(''), origin };
}
