import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinWebPath, readWebBase, type WebBase } from '../../src/gate/rules/webUrl.js';

describe('a web URL is accepted only when it is this machine', () => {
  test.each([
    ['http://localhost:30080', { scheme: 'http', host: 'localhost', port: 30080, path: '' }],
    ['http://127.0.0.1', { scheme: 'http', host: '127.0.0.1', port: 80, path: '' }],
    ['https://[::1]/', { scheme: 'https', host: '[::1]', port: 443, path: '' }],
    ['HTTP://Django-Ray.localhost/app/', { scheme: 'http', host: 'django-ray.localhost', port: 80, path: '/app' }],
  ])('%s', (url, base) => {
    expect(readWebBase(url)).toEqual({ ok: true, base });
  });

  test.each([
    ['user information', 'http://user:pass@localhost'],
    ['a query', 'http://localhost/?a=1'],
    ['a fragment', 'http://localhost/#a'],
    ['a file', 'file:///etc/passwd'],
    ['a public host', 'http://example.com'],
    ['a host that begins like ours', 'http://localhost.example.com'],
    ['a host that ends in our letters only', 'http://evillocalhost'],
    ['a trailing colon', 'http://localhost:'],
    ['port 0', 'http://localhost:0'],
    ['a port too large', 'http://localhost:65536'],
    ['a space', 'http://local host'],
    ['a letter beyond ASCII', 'http://löcalhost'],
    ['nothing', ''],
  ])('%s is refused, and not repeated', (_, url) => {
    const reading = readWebBase(url);
    expect(reading.ok).toBe(false);
    if (!reading.ok && url !== '') expect(reading.problem).not.toContain(url);
  });
});

describe('a path joined to the base', () => {
  const base: WebBase = { scheme: 'http', host: 'localhost', port: 30080, path: '' };

  test.each([
    ['/api/health', '/api/health'],
    ['/api/executions?task_id=1&limit=1', '/api/executions?task_id=1&limit=1'],
    ['/a/../b', '/b'],
  ])('%s goes to %s', (path, joined) => {
    expect(joinWebPath(base, path)).toBe(joined);
  });

  test.each([
    ['another host', 'http://example.com/'],
    ['a host without a scheme', '//example.com/'],
    ['a backslash host', '/\\example.com'],
    ['another port', 'http://localhost:1/'],
    ['user information', 'http://user@localhost:30080/'],
    ['a fragment', '/a#b'],
    ['no leading slash', 'api'],
    ['a line end', '/a\nHost: evil'],
    ['nothing', ''],
    ['too much', `/${'a'.repeat(4096)}`],
  ])('with %s is refused', (_, path) => {
    expect(joinWebPath(base, path)).toBeUndefined();
  });

  test('never leaves the machine, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        const joined = joinWebPath(base, path);
        if (joined !== undefined)
          expect(new URL(joined, 'http://localhost:30080').origin).toBe('http://localhost:30080');
      }),
    );
  });
});
