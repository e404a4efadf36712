import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { localHttp } from '../../src/host/localHttp.js';

let server: Server | undefined;
afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

async function serve(listener: RequestListener): Promise<{ scheme: 'http'; host: string; port: number }> {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return { scheme: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

describe('one request to this machine', () => {
  test('gives status and body', async () => {
    const target = await serve((request, response) =>
      response.end(`${request.method} ${request.url} ${request.headers.host}`),
    );
    const answer = await localHttp(target, { method: 'GET', path: '/a?b=1', timeoutSeconds: 5 });
    expect(answer).toMatchObject({ status: 200, body: `GET /a?b=1 127.0.0.1:${target.port}` });
  });

  test('follows no redirect', async () => {
    const target = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 5 })).toMatchObject({ status: 302 });
  });

  test('goes through no proxy', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const target = await serve((_, response) => response.end('direct'));
      expect(await localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 5 })).toMatchObject({
        body: 'direct',
      });
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test('reaches a name below .localhost on this machine, under that name', async () => {
    const target = await serve((request, response) => response.end(request.headers.host));
    const answer = await localHttp(
      { ...target, host: 'django-ray.localhost' },
      { method: 'GET', path: '/', timeoutSeconds: 5 },
    );
    expect(answer.body).toBe(`django-ray.localhost:${target.port}`);
  });

  test('refuses a body that is too long', async () => {
    const target = await serve((_, response) => response.end('x'.repeat(2000)));
    const long = localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 5, bodyLimitBytes: 1000 });
    await expect(long).rejects.toMatchObject({ reason: 'too-long' });
  });

  test('gives up on a server that does not answer', async () => {
    const target = await serve(() => {});
    await expect(localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 0.2 })).rejects.toMatchObject({
      reason: 'time-out',
    });
    server?.closeAllConnections();
  });

  test('says that nobody listens', async () => {
    const target = { scheme: 'http', host: '127.0.0.1', port: 1 } as const;
    await expect(localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 5 })).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  test('never puts a header into a message', async () => {
    const target = { scheme: 'http', host: '127.0.0.1', port: 1 } as const;
    const headers = { authorization: 'Bearer topsecret' };
    const error: unknown = await localHttp(target, { method: 'GET', path: '/', timeoutSeconds: 5, headers }).catch(
      (e: unknown) => e,
    );
    expect(String(error)).not.toContain('topsecret');
  });
});
