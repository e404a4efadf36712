import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLocalUrl } from '../../src/infra/localUrl.js';

describe('parseLocalUrl accepts', () => {
  it.each([
    { text: 'http://localhost:30080', origin: 'http://localhost:30080' },
    { text: 'http://localhost:30080/', origin: 'http://localhost:30080' },
    { text: 'HTTP://LocalHost', origin: 'http://localhost' },
    { text: 'http://127.0.0.1:80', origin: 'http://127.0.0.1' },
    { text: 'https://[::1]:443', origin: 'https://[::1]' },
    { text: 'https://localhost:80', origin: 'https://localhost:80' },
    { text: 'http://django-ray.localhost', origin: 'http://django-ray.localhost' },
    { text: 'http://a.b-c.localhost:08080', origin: 'http://a.b-c.localhost:8080' },
  ])('$text', ({ text, origin }) => {
    expect(parseLocalUrl(text)).toEqual({ ok: true, origin });
  });
});

const scheme = 'its scheme must be http or https';
const host = 'its host must be 127.0.0.1, [::1], localhost or end in .localhost';
const shape = 'it must name a host, and after a colon a port';
const printable = 'it must be 1 to 2048 printable ASCII characters without spaces';

describe('parseLocalUrl refuses', () => {
  it.each([
    { text: '', problem: printable },
    { text: 'http://localhost /', problem: printable },
    { text: 'http://localhöst', problem: printable },
    { text: `http://localhost/${'a'.repeat(2048)}`, problem: printable },
    { text: 'file:///etc/passwd', problem: scheme },
    { text: 'localhost:30080', problem: scheme },
    { text: 'http:/localhost', problem: scheme },
    { text: 'http://user:marker@localhost', problem: 'it must hold no user information' },
    { text: 'http://localhost?a=1', problem: 'it must have no query and no fragment' },
    { text: 'http://localhost/#', problem: 'it must have no query and no fragment' },
    { text: 'http://localhost/api', problem: 'it must have no path' },
    { text: 'http://localhost:', problem: shape },
    { text: 'http://', problem: shape },
    { text: 'http://localhost:1:2', problem: shape },
    { text: 'http://localhost:0', problem: 'its port must be 1 to 65535' },
    { text: 'http://localhost:65536', problem: 'its port must be 1 to 65535' },
    { text: 'http://10.0.0.1', problem: host },
    { text: 'http://example.com', problem: host },
    { text: 'http://localhost.example.com', problem: host },
    { text: 'http://.localhost', problem: host },
    { text: 'http://evil.com\\.localhost', problem: 'it must have no path' },
    { text: 'http://evil.com\\@localhost', problem: 'it must have no path' },
  ])('$text', ({ text, problem }) => {
    expect(parseLocalUrl(text)).toEqual({ ok: false, problem });
  });

  it('agrees with the URL parser of the platform on the host, whatever it accepts', () => {
    const pieces = fc.constantFrom(
      'http',
      '://',
      'localhost',
      '127.0.0.1',
      '[::1]',
      ':',
      '80',
      '@',
      '/',
      '?',
      '#',
      '.',
      '\\',
      'x',
      '%2e',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        const url = parseLocalUrl(text);
        if (url.ok) expect(new URL(text).origin).toBe(url.origin);
      }),
      { numRuns: 2000 },
    );
  });

  it('never repeats what it refused', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{8}$/), (marker) => {
        const url = parseLocalUrl(`http://${marker}:${marker}@${marker}/${marker}`);
        expect(JSON.stringify(url)).not.toContain(marker);
      }),
    );
  });
});
