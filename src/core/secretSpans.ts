import { blanks, type DenseText, dense, escapedBlanks, hexSeparators } from './denseText.js';
import type { DenseForm, SecretForms } from './secretForms.js';

export type Span = readonly [start: number, end: number];

/** Where forms of the secrets stand in a text, overlapping ones included. */
export function spansOf(text: string, secrets: readonly SecretForms[]): Span[] {
  const spans: Span[] = [];
  const add = (start: number, end: number) => void spans.push([start, end]);
  // Twice, because a backslash before a secret that starts with `n` is no line end.
  const base64Texts = [dense(text, blanks), ...(text.includes('\\') ? [dense(text, escapedBlanks)] : [])];
  const hexText = dense(text.replace(/[A-F]+/g, lowerCase), hexSeparators);
  for (const forms of secrets) {
    for (const form of forms.literal) occurrences(text, form, add);
    for (const form of forms.percent) matches(text, form, add);
    for (const squeezed of base64Texts) {
      for (const form of forms.base64) denseOccurrences(squeezed, form, add);
    }
    denseOccurrences(hexText, { text: forms.hex, mixedBefore: false, mixedAfter: false }, add);
  }
  return spans;
}

type Found = (start: number, end: number) => void;

function occurrences(text: string, form: string, found: Found): void {
  if (form === '') return;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found(at, at + form.length);
}

function matches(text: string, form: RegExp, found: Found): void {
  form.lastIndex = 0;
  for (let match = form.exec(text); match; match = form.exec(text)) {
    found(match.index, match.index + match[0].length);
    form.lastIndex = match.index + 1;
  }
}

function denseOccurrences({ text, origin }: DenseText, form: DenseForm, found: Found): void {
  occurrences(text, form.text, (start, end) => {
    const [first, last] = widened(text, start, end, form);
    found(origin[first] ?? 0, (origin[last - 1] ?? 0) + 1);
  });
}

/** With the characters at the edges that carry bits of the secret too, and the padding. */
function widened(text: string, start: number, end: number, form: DenseForm): Span {
  const isDigit = (at: number) => /[A-Za-z0-9+/_-]/.test(text.charAt(at));
  const first = form.mixedBefore && isDigit(start - 1) ? start - 1 : start;
  let last = form.mixedAfter && isDigit(end) ? end + 1 : end;
  while (form.mixedAfter && text.charAt(last) === '=' && last < end + 3) last++;
  return [first, last];
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
