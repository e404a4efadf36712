import { formsOf, type SecretForms } from './secretForms.js';
import { type Span, spansOf } from './secretSpans.js';

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
