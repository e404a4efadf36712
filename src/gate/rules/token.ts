import { failed, ready, type Verdict } from '../../core/verdict.js';

/** Bounds of the API token, padding included. */
const minimumCharacters = 32;
const maximumCharacters = 512;

/**
 * Whether a text can be the API token: 32 to 512 characters of `A-Za-z0-9._~+/-`, then at most two `=`. The detail never holds
 * the token.
 */
export function judgeToken(token: string): Verdict<{ readonly characters: number }> {
  const fix = 'make a new one (openssl rand -hex 32) in Secret django-ray-secret, key DJANGO_API_TOKEN';
  if (token.length < minimumCharacters || token.length > maximumCharacters) {
    const bounds = `${minimumCharacters} to ${maximumCharacters}`;
    return failed('preflight.token-length', `The API token has ${token.length} characters, not ${bounds}: ${fix}.`);
  }
  if (!/^[A-Za-z0-9._~+/-]+={0,2}$/.test(token)) {
    const allowed = 'A-Za-z0-9._~+/- and at most two = at the end';
    return failed('preflight.token-characters', `The API token holds characters other than ${allowed}: ${fix}.`);
  }
  return ready({ characters: token.length });
}

/** Decodes a Secret's value strictly: canonical base64 of UTF-8; undefined when it is not. */
export function decodeSecretValue(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}
