import type { Redactor } from './redaction.js';

export interface TextBounds {
  /** Default: no bound. */
  readonly lines?: number;
  /** UTF-16 code units, the notice of the cut included. */
  readonly characters: number;
}

/** The bounds that texts of the gate keep to, by what the text is. */
export const textBounds = {
  commandError: { lines: 60, characters: 16_000 },
  diagnostics: { lines: 80, characters: 16_000 },
  gateError: { characters: 15_744 },
  /** A whole final line, with its label. */
  finalLine: { characters: 15_999 },
  secondaryContext: { characters: 4_000 },
} as const satisfies Record<string, TextBounds>;

/**
 * The end of a text, with line ends as `\n`. A text that is cut starts with a line that says so and how long it was; the
 * whole stays within the bounds, that line included. Redact first: {@link redactedTail} does both in the right order.
 */
export function boundedTail(text: string, bounds: TextBounds): string {
  const whole = text.replace(/\r\n?/g, '\n');
  const lines = bounds.lines ?? Number.POSITIVE_INFINITY;
  if (whole.length <= bounds.characters && lineCount(whole) <= lines) return whole;
  const notice = `[truncated redacted error; original_characters=${whole.length}]\n`;
  if (notice.length >= bounds.characters) return lastCharacters(lastLines(whole, lines), bounds.characters);
  return notice + lastCharacters(lastLines(whole, Math.max(0, lines - 1)), bounds.characters - notice.length);
}

/** Cleans, then cuts: a cut can never leave a part of a secret. */
export function redactedTail(redactor: Redactor, text: string, bounds: TextBounds): string {
  return boundedTail(redactor.clean(text), bounds);
}

/** One line of at most `characters`, for a message: white space is joined, and what is too long ends in `…`. */
export function oneLine(text: string, characters: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= characters ? line : `${line.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function lineCount(text: string): number {
  const ended = text.endsWith('\n') ? text.length - 1 : text.length;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < ended; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function lastLines(text: string, lines: number): string {
  if (lines === Number.POSITIVE_INFINITY) return text;
  if (lines === 0) return '';
  const ended = text.endsWith('\n') ? text.length - 1 : text.length;
  let start = ended;
  for (let left = lines; left > 0 && start > 0; left--) start = text.lastIndexOf('\n', start - 1);
  return start <= 0 && lineCount(text) <= lines ? text : text.slice(start + 1);
}

function lastCharacters(text: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters <= 0) return '';
  // Half of a surrogate pair is no character.
  return text.slice(-characters).replace(/^[\udc00-\udfff]/, '');
}
