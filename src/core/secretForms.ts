import { inspect } from 'node:util';

/** A run of characters that is looked for in text whose white space has been taken out. */
export interface DenseForm {
  readonly text: string;
  /** Whether the character before (after) the run also carries bits of the secret, mixed with a neighbour's. */
  readonly mixedBefore: boolean;
  readonly mixedAfter: boolean;
}

/** Every way in which one secret is looked for. */
export interface SecretForms {
  /** As they stand in the text. */
  readonly literal: readonly string[];
  /** Percent-encoded: only the hex letters of `%XX` match either case. */
  readonly percent: readonly RegExp[];
  /** Base64 and base64url at each of the three alignments, at any line width. */
  readonly base64: readonly DenseForm[];
  /** Lower case, at any line width and with the usual separators. */
  readonly hex: string;
}

/** Lines of a multi-line secret (a PEM key) are secrets of their own from this length on: logs are read line by line. */
const shortestLineCharacters = 16;

export function formsOf(secret: string): SecretForms {
  const wellFormed = secret.isWellFormed();
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  const percent = wellFormed ? unique([secret, base64].flatMap(percentForms)) : [];
  const cased = percent.filter((form) => /%(?:[A-F].|.[A-F])/.test(form));
  return {
    literal: unique([secret, ...linesOf(secret), ...escapedForms(secret), ...percent]),
    percent: cased.map(eitherHexCase),
    base64: wellFormed ? [...[secret, base64].flatMap(base64Forms), ...rewrappedForms(secret)] : [],
    hex: wellFormed ? Buffer.from(secret, 'utf8').toString('hex') : '',
  };
}

function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/);
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLineCharacters && !line.startsWith('-----'));
}

/** Bodies of string literals: JSON (also ASCII-only, with `\/`, with Go's HTML-safe escapes, and JSON in JSON), JavaScript. */
function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bodies = [
    json,
    asciiOnly(json),
    asciiOnly(json).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    json.replace(/[<>&\u2028\u2029]/g, unicodeEscape),
    inspect(secret, { breakLength: Number.POSITIVE_INFINITY }).slice(1, -1),
  ];
  const twice = bodies.map((body) => JSON.stringify(body).slice(1, -1));
  return [...bodies, ...twice].flatMap((body) => [body, body.replaceAll('/', '\\/')]);
}

function asciiOnly(text: string): string {
  return text.replace(/[^\0-\x7f]/g, unicodeEscape);
}

function unicodeEscape(unit: string): string {
  return [...Array(unit.length).keys()].map((at) => `\\u${unit.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** What encoders escape beyond `encodeURIComponent`: nothing, RFC 3986, the WHATWG form, older form encoders. */
const escapedMarks = [/(?!)/g, /[!'()*]/g, /[!'()~]/g, /[!'()*~]/g];

/** Path and form style, with each of the eight subsets of `+`, `/`, `=` left as they are, by every usual encoder. */
function percentForms(text: string): string[] {
  const forms: string[] = [];
  for (const marks of escapedMarks) {
    const encoded = encodeURIComponent(text).replace(
      marks,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    for (let subset = 0; subset < 8; subset++) {
      let form = encoded;
      if (subset & 1) form = form.replaceAll('%2B', '+');
      if (subset & 2) form = form.replaceAll('%2F', '/');
      if (subset & 4) form = form.replaceAll('%3D', '=');
      forms.push(form, form.replaceAll('%20', '+'));
    }
  }
  return forms;
}

function eitherHexCase(form: string): RegExp {
  const pattern = form
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replace(
      /%(..)/g,
      (_, code: string) => `%${code.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)}`,
    );
  return new RegExp(pattern, 'g');
}

/**
 * What base64 makes of the secret when it stands 0, 1 or 2 bytes after a group's start, as inside a longer encoded text
 * (`user:password`, a whole Secret manifest), without the characters that its neighbours change.
 */
function base64Forms(secret: string): DenseForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms: DenseForm[] = [];
  for (const shift of [0, 1, 2]) {
    const bits = (shift + bytes.length) * 8;
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const text = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
    const mixed = { mixedBefore: shift !== 0, mixedAfter: bits % 6 !== 0 };
    for (const alphabet of unique([text, text.replaceAll('+', '-').replaceAll('/', '_')])) {
      forms.push({ text: alphabet, ...mixed });
    }
  }
  return forms;
}

/** A multi-line secret (PEM) is itself often wrapped anew. */
function rewrappedForms(secret: string): DenseForm[] {
  if (!secret.includes('\n')) return [];
  return [{ text: secret.replace(/\s/g, ''), mixedBefore: false, mixedAfter: false }];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
