import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactionMark, shortestSecretCharacters } from '../../src/core/redaction.js';

const token = 'Ab+/9~x=Kq"\\\'é\tzz-_.end';
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(3)}MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDu\n-----END PRIVATE KEY-----\n`;

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const ascii = (text: string) =>
  text.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const wrap = (text: string, width: number, end: string) =>
  text.match(new RegExp(`.{1,${width}}`, 'g'))?.join(end) ?? '';

const encodings: Record<string, (secret: string) => string> = {
  'as it is': (s) => s,
  'in JSON': json,
  'in ASCII-only JSON': (s) => ascii(json(s)),
  'in ASCII-only JSON with escaped slashes': (s) => ascii(json(s)).replaceAll('/', '\\/'),
  'in JSON with upper-case escapes': (s) => ascii(json(s)).replace(/\\u(....)/g, (_, hex) => `\\u${hex.toUpperCase()}`),
  'in JSON inside JSON': (s) => json(json(s)),
  'in JSON as Go writes it': (s) =>
    json(s).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
  inspected: (s) => inspect(s, { breakLength: Number.POSITIVE_INFINITY }).slice(1, -1),
  'in base64': base64,
  'in base64url': (s) => Buffer.from(s).toString('base64url'),
  'in base64 of base64': (s) => base64(base64(s)),
  'in base64 wrapped at 64': (s) => wrap(base64(s), 64, '\n'),
  'in base64 wrapped at 7 with CRLF': (s) => wrap(base64(s), 7, '\r\n'),
  'in base64 wrapped at 20 and escaped': (s) => wrap(base64(s), 20, '\\n'),
  'in base64 wrapped at 20 and escaped twice': (s) => wrap(base64(s), 20, '\\\\n'),
  'in hex': (s) => Buffer.from(s).toString('hex'),
  'in upper-case hex': (s) => Buffer.from(s).toString('hex').toUpperCase(),
  'in hex with colons': (s) => wrap(Buffer.from(s).toString('hex'), 2, ':'),
  'in a hex dump': (s) => wrap(Buffer.from(s).toString('hex'), 4, ' '),
  'in escaped bytes': (s) => `\\x${wrap(Buffer.from(s).toString('hex'), 2, '\\x')}`,
  'percent-encoded': (s) => encodeURIComponent(s),
  'percent-encoded in lower case': (s) => encodeURIComponent(s).replace(/%../g, (c) => c.toLowerCase()),
  'percent-encoded as a form': (s) => new URLSearchParams({ s }).toString().slice(2),
  'percent-encoded base64': (s) => encodeURIComponent(base64(s)),
};

/** A secret is as long as a token's rules ask for; of any characters. */
const secrets = fc
  .string({ unit: 'binary', minLength: 12, maxLength: 60 })
  .filter((s) => s.isWellFormed() && new Set(s).size > 4 && s.trim().length >= shortestSecretCharacters);

describe('a registered secret', () => {
  for (const [how, encode] of Object.entries(encodings)) {
    it.each([token, 'plain-Token-0123456789', 'p@ss w&rd<1>!(x)'])(`is not left ${how}: %j`, (secret) => {
      const cleaned = createRedactor([secret]).clean(`before ${encode(secret)} after`);
      expect(cleaned).toMatch(/^before .{0,2}\[REDACTED\] after$/);
    });

    it(`is not left ${how}, whatever it is and whatever stands around it`, () => {
      fc.assert(
        fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
          const text = `${before}${encode(secret)}${after}`;
          const cleaned = createRedactor([secret]).clean(text);
          expect(cleaned).toContain(redactionMark);
          expect(cleaned).not.toContain(encode(secret));
        }),
        { numRuns: 60 },
      );
    });
  }

  it.each([0, 1, 2, 3, 4, 5])('is not left inside a longer base64 text after %i bytes', (shift) => {
    fc.assert(
      fc.property(secrets, fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), (secret, after) => {
        const text = base64('u'.repeat(shift) + secret + after);
        const cleaned = createRedactor([secret]).clean(text);
        const left = cleaned.split(redactionMark).map((piece) => Buffer.from(piece, 'base64').toString('latin1'));
        expect(left).toHaveLength(2);
        expect(left[0]?.length).toBeLessThanOrEqual(shift);
        expect(left[1]?.length).toBeLessThanOrEqual(Buffer.byteLength(after));
      }),
      { numRuns: 100 },
    );
  });

  it('is found in all 16 percent encodings and every case of their hex digits', () => {
    const secret = 'a+b/c=d e&f-Gh';
    const redactor = createRedactor([secret]);
    for (let subset = 0; subset < 8; subset++) {
      for (const space of ['%20', '+']) {
        let form = encodeURIComponent(secret);
        if (subset & 1) form = form.replace('%2B', '+');
        if (subset & 2) form = form.replace('%2F', '/');
        if (subset & 4) form = form.replace('%3D', '=');
        form = form.replace('%20', space);
        expect(redactor.clean(form)).toBe(redactionMark);
        expect(redactor.clean(form.replace(/%../g, (c) => c.toLowerCase()))).toBe(redactionMark);
        expect(redactor.clean(form.replace(/%2f/i, '%2f'))).toBe(redactionMark);
      }
    }
  });

  it('is not taken for one whose letters have the other case', () => {
    const secret = 'Abc/Def=Ghi+';
    const lookAlike = encodeURIComponent('aBC/dEF=gHI+');
    expect(createRedactor([secret]).clean(lookAlike)).toBe(lookAlike);
    expect(createRedactor([secret]).clean('aBC/dEF=gHI+')).toBe('aBC/dEF=gHI+');
  });

  it('with a lone surrogate is still found as it is and escaped', () => {
    const secret = 'abc\ud800defghi';
    const redactor = createRedactor([secret]);
    expect(redactor.clean(`<${secret}>`)).toBe('<[REDACTED]>');
    expect(redactor.clean(JSON.stringify(secret))).toBe('"[REDACTED]"');
  });

  it('of several lines is not left line by line, nor wrapped at another width', () => {
    const redactor = createRedactor([pem]);
    for (const line of pem.split('\n').filter((l) => l.length > 20 && !l.startsWith('-'))) {
      expect(redactor.clean(`pod/x ${line} end`)).toBe('pod/x [REDACTED] end');
    }
    expect(redactor.clean(wrap(pem.replaceAll('\n', ''), 50, '\n'))).toBe(redactionMark);
    expect(redactor.clean(wrap(base64(pem), 76, '\n'))).toBe(redactionMark);
  });
});

describe('several secrets', () => {
  it('that contain or overlap each other leave nothing, whatever the order of registration', () => {
    const inner = 'secret-part-1';
    const outer = `xx-${inner}-yy`;
    const next = 'part-1-yy-zzzz';
    for (const order of [
      [inner, outer, next],
      [next, outer, inner],
    ]) {
      expect(createRedactor(order).clean(`a ${outer}-zzzz b`)).toBe('a [REDACTED] b');
    }
  });

  it('side by side become one mark', () => {
    expect(createRedactor(['12345678', 'abcdefgh']).clean('x12345678abcdefghy')).toBe('x[REDACTED]y');
  });
});

describe('a text without a secret', () => {
  it('is left as it is', () => {
    const redactor = createRedactor([token, pem]);
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), (text) => {
        expect(redactor.clean(text)).toBe(text);
      }),
    );
  });

  it('keeps its words: what is shorter than 8 characters is not registered', () => {
    const redactor = createRedactor();
    expect([redactor.register(''), redactor.register('admin'), redactor.register('1234567')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(redactor.register('12345678')).toBe(true);
    expect(redactor.clean('the admin of 1234567')).toBe('the admin of 1234567');
  });
});

it('cleans a megabyte of log against a full set of secrets in under two seconds', () => {
  const redactor = createRedactor([token, pem, base64(pem), 'another-Token-0123456789', 'kubernetes-admin']);
  const log =
    'I1130 12:00:00.000000 reconciler.go:269] operationExecutor.VerifyControllerAttachedVolume started\n'.repeat(
      10_000,
    );
  const start = performance.now();
  expect(redactor.clean(log)).toBe(log);
  expect(performance.now() - start).toBeLessThan(2_000);
});
