import { blanks, dense, hexSeparators } from './denseText.js';
import { type DenseForm, formsOf, type SecretForms } from './secretForms.js';

export const redactionMark = '[REDACTED]';

/**
 * A secret shorter than this is not registered: it would turn up inside ordinary words, and a log with holes in its words
 * both is unreadable and tells the secret. Whoever takes in a secret refuses one that is shorter.
 */
export const shortestSecretCharacters = 8;

/**
 * Keeps secrets out of texts: as they are, escaped (JSON, JavaScript), percent-encoded in every usual way whatever the case
 * of the hex digits, in base64 and base64url alone or inside a longer encoded text, in hex, and those two wrapped at any
 * width. Not covered: compressed, encrypted or reversed texts, and pieces that somebody else has already cut.
 */
export interface Redactor {
  /** Returns false for what is too short to be registered ({@link shortestSecretCharacters}). */
  register(secret: string): boolean;
  /**
   * The text with {@link redactionMark} in the place of every form of every secret. All are looked for in the text as it was
   * given and the union of what they cover is replaced, so neither the order of registration nor a secret that contains or
   * overlaps another can leave a remnant. Clean before you cut: a cut secret is not found.
   */
  clean(text: string): string;
}

type Span = readonly [start: number, end: number];

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const registered = new Map<string, SecretForms>();
  const redactor: Redactor = {
    register(secret) {
      if (secret.length < shortestSecretCharacters) return false;
      if (!registered.has(secret)) registered.set(secret, formsOf(secret));
      return true;
    },
    clean(text) {
      return registered.size === 0 ? text : replaceSpans(text, spansOf(text, [...registered.values()]));
    },
  };
  for (const secret of secrets) redactor.register(secret);
  return redactor;
}

function spansOf(text: string, secrets: readonly SecretForms[]): Span[] {
  const spans: Span[] = [];
  const upperPercent = text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  const squeezed = dense(text, blanks);
  const bytes = dense(text.toLowerCase(), hexSeparators);
  // A character whose lower case is longer would shift every index after it: hex is ASCII, so such a text is left alone.
  const hexComparable = text.toLowerCase().length === text.length;
  for (const forms of secrets) {
    for (const form of forms.literal) occurrences(text, form, (start, end) => spans.push([start, end]));
    for (const form of forms.percent) occurrences(upperPercent, form, (start, end) => spans.push([start, end]));
    for (const form of forms.base64) {
      occurrences(squeezed.text, form.text, (start, end) => {
        const [first, last] = widened(squeezed.text, start, end, form);
        spans.push([originAt(squeezed.origin, first), originAt(squeezed.origin, last - 1) + 1]);
      });
    }
    if (hexComparable) {
      occurrences(bytes.text, forms.hex, (start, end) => {
        spans.push([originAt(bytes.origin, start), originAt(bytes.origin, end - 1) + 1]);
      });
    }
  }
  return spans;
}

function occurrences(text: string, form: string, found: (start: number, end: number) => void): void {
  if (form === '') return;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found(at, at + form.length);
}

function widened(text: string, start: number, end: number, form: DenseForm): Span {
  const isDigit = (at: number) => /[A-Za-z0-9+/_-]/.test(text.charAt(at));
  const first = form.mixedBefore && isDigit(start - 1) ? start - 1 : start;
  let last = form.mixedAfter && isDigit(end) ? end + 1 : end;
  while (text.charAt(last) === '=' && last < end + 3) last++;
  return [first, last];
}

function originAt(origin: Uint32Array, at: number): number {
  return origin[at] ?? 0;
}

function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const parts: string[] = [];
  let kept = 0;
  let covered = -1;
  for (const [start, end] of spans) {
    if (start > covered) {
      if (covered !== -1) parts.push(redactionMark);
      parts.push(text.slice(kept, start));
    }
    covered = Math.max(covered, end);
    kept = covered;
  }
  parts.push(redactionMark, text.slice(kept));
  return parts.join('');
}
