import { writeFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { createRedactor } from '../../src/core/redaction.js';
import { aConfigMap } from '../builders/kube.js';
import { makePki, type TestPki } from '../builders/kubeconfig.js';
import { aList, type FakeApiServer, fakeApiServer, type Handler, sendJson, sendStatus } from '../fakes/apiServer.js';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const ref = { ...kind, name: 'a', namespace: 'django-ray' };
const token = 'A-token-of-the-user-0123456789';

let pki: TestPki;
let server: FakeApiServer;
let cluster: Cluster;

beforeAll(async () => {
  pki = await makePki();
});
beforeEach(async () => {
  server = await fakeApiServer({ pki, user: { token } });
  cluster = await openCluster(server.snapshot, { requestTimeoutSeconds: 0.4 });
});
afterEach(async () => {
  await cluster.close();
  await server.close();
});

const requests = (path: RegExp) => server.seen.filter((request) => path.test(request.path));

describe('a read says', () => {
  const silent: Handler = () => undefined;
  const rows: { name: string; handler: Handler; expected: unknown }[] = [
    {
      name: 'found for an object',
      handler: (_, response) => sendJson(response, 200, aConfigMap('a')),
      expected: { kind: 'found', value: aConfigMap('a') },
    },
    {
      name: 'absent for a 404 of the API',
      handler: (_, response) => sendStatus(response, 404, 'NotFound', 'configmaps "a" not found'),
      expected: { kind: 'absent' },
    },
    {
      name: 'unreadable for a 404 of something else in its place, while the kind is served',
      handler: (_, response) => response.writeHead(404).end('404 page not found'),
      expected: {
        kind: 'unreadable',
        retryable: true,
        reason: 'get v1/ConfigMap/django-ray/a: 404, although v1/ConfigMap is served',
      },
    },
    {
      name: 'unreadable for good for 403',
      handler: (_, response) => sendStatus(response, 403, 'Forbidden', 'no\nrights'),
      expected: {
        kind: 'unreadable',
        retryable: false,
        reason: 'get v1/ConfigMap/django-ray/a: 403 Forbidden no rights',
      },
    },
    {
      name: 'unreadable for good for 401',
      handler: (_, response) => sendStatus(response, 401, 'Unauthorized', 'who?'),
      expected: {
        kind: 'unreadable',
        retryable: false,
        reason: 'get v1/ConfigMap/django-ray/a: 401 Unauthorized who?',
      },
    },
    {
      name: 'unreadable for now for 429',
      handler: (_, response) => sendStatus(response, 429, 'TooManyRequests', 'later'),
      expected: {
        kind: 'unreadable',
        retryable: true,
        reason: 'get v1/ConfigMap/django-ray/a: 429 TooManyRequests later',
      },
    },
    {
      name: 'unreadable for now for 500, with the start of whatever came',
      handler: (_, response) => response.writeHead(500).end(`<html>${'x'.repeat(5_000)}`),
      expected: { kind: 'unreadable', retryable: true, reason: expect.stringMatching(/^get .*: 500 <html>x+…$/) },
    },
    {
      name: 'unreadable for now for a 503',
      handler: (_, response) => sendStatus(response, 503, 'ServiceUnavailable', 'starting'),
      expected: { kind: 'unreadable', retryable: true, reason: expect.stringMatching(/503/) },
    },
    {
      name: 'unreadable for now for no answer in time',
      handler: silent,
      expected: {
        kind: 'unreadable',
        retryable: true,
        reason: 'GET /api/v1/namespaces/django-ray/configmaps/a: no answer within 0.4 s',
      },
    },
    {
      name: 'unreadable for now for an answer that stops half-way',
      handler: (_, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"kind":');
        setTimeout(() => response.destroy(), 20);
      },
      expected: {
        kind: 'unreadable',
        retryable: true,
        reason: expect.stringMatching(/cannot be reached \(ECONNRESET\)/),
      },
    },
    {
      name: 'unreadable for now for an answer that drips past the time-out',
      handler: (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(drip));
      },
      expected: { kind: 'unreadable', retryable: true, reason: expect.stringMatching(/no answer within/) },
    },
    {
      name: 'unreadable for good for what is not JSON',
      handler: (_, response) => response.writeHead(200).end('{"kind":'),
      expected: {
        kind: 'unreadable',
        retryable: false,
        reason: 'get v1/ConfigMap/django-ray/a: the answer is not an object',
      },
    },
    {
      name: 'unreadable for good for JSON that is no object of Kubernetes',
      handler: (_, response) => sendJson(response, 200, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 1 } }),
      expected: { kind: 'unreadable', retryable: false, reason: expect.stringMatching(/not an object/) },
    },
    {
      name: 'unreadable, not followed, for a redirect',
      handler: (_, response) => response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
      expected: { kind: 'unreadable', retryable: false, reason: expect.stringMatching(/302/) },
    },
  ];
  it.each(rows)('$name', async ({ handler, expected }) => {
    server.answer(handler);
    expect(await cluster.get(ref)).toEqual(expected);
  });

  it('unreadable for now when nothing listens', async () => {
    await server.cut();
    expect(await cluster.get(ref)).toEqual({
      kind: 'unreadable',
      retryable: true,
      reason: 'GET /api/v1: the API server cannot be reached (ECONNREFUSED)',
    });
  });

  it('unreadable for good when the server is not the one that the authority vouches for', async () => {
    const mixed = await fakeApiServer({ pki: { ...pki, server: (await makePki()).server } });
    const other = await openCluster(mixed.snapshot);
    expect(await other.get(ref)).toMatchObject({ kind: 'unreadable', retryable: false });
    await other.close();
    await mixed.close();
  });
});

describe('a kind', () => {
  const widget = { apiVersion: 'x.test/v1', kind: 'Widget' };

  it('is absent when its group version is not served by an API server that is ready', async () => {
    server.override('/apis/x.test/v1', (_, response) => response.writeHead(404).end('404 page not found'));
    expect(await cluster.list(widget)).toEqual({ kind: 'absent' });
  });

  it('is unreadable, not absent, while the API server is still getting ready', async () => {
    server.override('/apis/x.test/v1', (_, response) => response.writeHead(404).end());
    server.override('/readyz', (_, response) =>
      response.writeHead(500).end('[-]poststarthook/crd-informer-synced failed'),
    );
    expect(await cluster.list(widget)).toEqual({
      kind: 'unreadable',
      retryable: true,
      reason: expect.stringMatching(/^x.test\/v1\/Widget is not served, but the API server is not ready: 500/),
    });
  });

  it.each([
    ['503 of an aggregated API that is down', 503, true],
    ['403', 403, false],
  ])('is unreadable when its discovery is answered with %s', async (_, status, retryable) => {
    server.override('/apis/x.test/v1', (_request, response) => sendStatus(response, status, 'X', 'x'));
    expect(await cluster.list(widget)).toMatchObject({ kind: 'unreadable', retryable });
    expect(await cluster.get({ ...widget, name: 'a' })).toMatchObject({ kind: 'unreadable', retryable });
  });

  it('is unreadable when its discovery is garbage', async () => {
    server.override('/apis/x.test/v1', (_, response) => response.writeHead(200).end('[]'));
    expect(await cluster.list(widget)).toMatchObject({ kind: 'unreadable', retryable: false });
  });

  it('that has gone since it was discovered is absent', async () => {
    server.answer((_, response) => sendJson(response, 200, aList([])));
    expect(await cluster.list(kind)).toMatchObject({ kind: 'found' });
    server.override('/api/v1', (_, response) => sendJson(response, 200, { kind: 'APIResourceList', resources: [] }));
    server.answer((_, response) => response.writeHead(404).end('404 page not found'));
    expect(await cluster.list(kind)).toEqual({ kind: 'absent' });
  });

  it('that is known is discovered once, by however many at the same time', async () => {
    server.answer((_, response) => sendJson(response, 200, aConfigMap('a')));
    await Promise.all([cluster.get(ref), cluster.get(ref), cluster.get(ref)]);
    await cluster.get(ref);
    expect(requests(/^\/api\/v1$/)).toHaveLength(1);
  });

  it('is not mistaken for a subresource of another', async () => {
    expect(await cluster.get({ apiVersion: 'apps/v1', kind: 'Scale', name: 'a', namespace: 'x' })).toEqual({
      kind: 'absent',
    });
  });
});

describe('a list', () => {
  it('is read page by page and has the state of its last page', async () => {
    server.answer(({ query }, response) => {
      if (!query.get('continue'))
        return sendJson(
          response,
          200,
          aList([{ metadata: { name: 'a' } }], { continue: 'more', resourceVersion: '7' }),
        );
      return sendJson(response, 200, aList([{ metadata: { name: 'b' } }], { resourceVersion: '7' }));
    });
    expect(
      await cluster.list(kind, { namespace: 'x', labelSelector: 'a=b', fieldSelector: 'c=d', pageSize: 1 }),
    ).toEqual({
      kind: 'found',
      value: {
        resourceVersion: '7',
        items: [
          { ...kind, metadata: { name: 'a' } },
          { ...kind, metadata: { name: 'b' } },
        ],
      },
    });
    const query = { labelSelector: 'a=b', fieldSelector: 'c=d', limit: '1' };
    expect(requests(/configmaps$/).map(({ path, query: sent }) => [path, Object.fromEntries(sent)])).toEqual([
      ['/api/v1/namespaces/x/configmaps', query],
      ['/api/v1/namespaces/x/configmaps', { ...query, continue: 'more' }],
    ]);
  });

  it.each([
    [{ remainingItemCount: 41 }, 41],
    [{}, 1],
  ])('ends after the page that reaches its bound, and says how much it left out (%o)', async (metadata, leftOut) => {
    server.answer((_, response) =>
      sendJson(
        response,
        200,
        aList([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }], { continue: 'more', ...metadata }),
      ),
    );
    const listed = await cluster.list(kind, { pageSize: 2, atMost: 2 });
    expect(listed).toMatchObject({ value: { items: [{}, {}], leftOut } });
    expect(requests(/configmaps$/)).toHaveLength(1);
  });

  it('of metadata asks for nothing else', async () => {
    server.answer((_, response) => sendJson(response, 200, aList([])));
    await cluster.list(kind, { metadataOnly: true });
    await cluster.list(kind);
    expect(requests(/configmaps$/).map(({ headers }) => headers.accept)).toEqual([
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'application/json',
    ]);
  });

  it('starts again when its continuation has expired, and keeps nothing of the first attempt', async () => {
    let attempts = 0;
    server.answer(({ query }, response) => {
      if (!query.get('continue')) {
        attempts++;
        return sendJson(response, 200, aList([{ metadata: { name: `a${attempts}` } }], { continue: 'more' }));
      }
      if (attempts === 1) return sendStatus(response, 410, 'Expired', 'too old');
      return sendJson(response, 200, aList([{ metadata: { name: 'b' } }]));
    });
    const listed = await cluster.list(kind);
    expect(listed).toMatchObject({ value: { items: [{ metadata: { name: 'a2' } }, { metadata: { name: 'b' } }] } });
  });

  it('that expires again and again is unreadable for now', async () => {
    server.answer((_, response) => sendStatus(response, 410, 'Expired', 'too old'));
    expect(await cluster.list(kind)).toMatchObject({
      kind: 'unreadable',
      retryable: true,
      reason: expect.stringMatching(/expired 6 times/),
    });
  });

  it('with an item that is no object is unreadable', async () => {
    server.answer((_, response) => sendJson(response, 200, aList([{ metadata: { name: 'a' } }, {}])));
    expect(await cluster.list(kind)).toMatchObject({ kind: 'unreadable', retryable: false });
  });
});

describe('all kinds', () => {
  const group = (...versions: readonly string[]) => ({
    name: 'x.test',
    versions: versions.map((version) => ({ groupVersion: `x.test/${version}`, version })),
    preferredVersion: { groupVersion: `x.test/${versions.at(-1)}`, version: versions.at(-1) },
  });
  const groups = (...list: readonly unknown[]) =>
    server.override('/apis', (_, response) => sendJson(response, 200, { kind: 'APIGroupList', groups: list }));
  const resources = (apiVersion: string, ...list: readonly object[]) =>
    server.override(`/apis/${apiVersion}`, (_, response) =>
      sendJson(response, 200, { kind: 'APIResourceList', groupVersion: apiVersion, resources: list }),
    );
  const resource = (kind: string, name: string) => ({ kind, name, namespaced: true, verbs: ['list', 'delete'] });

  it('are each named once, at the version that its group prefers', async () => {
    groups(group('v1beta1', 'v1'));
    resources('x.test/v1', resource('Widget', 'widgets'), { ...resource('Widget', 'widgets/status'), verbs: ['get'] });
    resources('x.test/v1beta1', resource('Widget', 'widgets'), resource('Gadget', 'gadgets'));
    expect(await cluster.servedKinds()).toEqual({
      kind: 'found',
      value: {
        unreadable: [],
        kinds: [
          { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, verbs: [] },
          { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false, verbs: [] },
          { apiVersion: 'x.test/v1', kind: 'Widget', plural: 'widgets', namespaced: true, verbs: ['list', 'delete'] },
          {
            apiVersion: 'x.test/v1beta1',
            kind: 'Gadget',
            plural: 'gadgets',
            namespaced: true,
            verbs: ['list', 'delete'],
          },
        ],
      },
    });
  });

  it('of a group that does not answer are named as unreadable, and hide no other', async () => {
    groups(group('v1'));
    server.override('/apis/x.test/v1', (_, response) => sendStatus(response, 503, 'ServiceUnavailable', 'away'));
    expect(await cluster.servedKinds()).toMatchObject({
      value: {
        kinds: [{ kind: 'ConfigMap' }, { kind: 'Namespace' }],
        unreadable: [{ apiVersion: 'x.test/v1', reason: expect.stringMatching(/503.*away/) }],
      },
    });
  });

  it('are unreadable when the list of groups is', async () => {
    server.override('/apis', (_, response) => sendStatus(response, 500, 'InternalError', 'x'));
    expect(await cluster.servedKinds()).toMatchObject({ kind: 'unreadable', retryable: true });
    server.override('/apis', (_, response) => sendJson(response, 200, { kind: 'Other' }));
    expect(await cluster.servedKinds()).toMatchObject({ kind: 'unreadable', retryable: false });
  });
});

describe('a mutation that is refused throws', () => {
  it.each([
    [409, 'AlreadyExists', 'already-exists', false],
    [409, 'Conflict', 'conflict', false],
    [403, 'Forbidden', 'forbidden', false],
    [401, 'Unauthorized', 'unauthorized', false],
    [422, 'Invalid', 'invalid', false],
    [400, 'BadRequest', 'invalid', false],
    [404, 'NotFound', 'not-found', false],
    [429, 'TooManyRequests', 'throttled', true],
    [500, 'InternalError', 'server', true],
    [504, 'Timeout', 'server', true],
    [302, '', 'undecodable', false],
  ])('for %i %s: %s, retryable: %s', async (status, reason, code, retryable) => {
    server.answer((_, response) => sendStatus(response, status, reason, 'why'));
    await expect(cluster.create(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      isRaygateClusterError: true,
      code,
      status,
      retryable,
      message: `create v1/ConfigMap/django-ray/a: ${status} ${reason ? `${reason} ` : ''}why`,
    });
  });

  it('unserved for a kind that is proven unserved', async () => {
    server.override('/apis/x.test/v1', (_, response) => response.writeHead(404).end());
    const widget = { apiVersion: 'x.test/v1', kind: 'Widget', metadata: { name: 'a' } };
    await expect(cluster.apply(widget, { fieldManager: 'm' })).rejects.toMatchObject({
      code: 'unserved',
      retryable: false,
    });
    expect(await cluster.remove({ apiVersion: 'x.test/v1', kind: 'Widget', name: 'a' })).toBe('absent');
  });

  it('time-out, and sends it once', async () => {
    server.answer(() => undefined);
    await expect(cluster.create(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      code: 'time-out',
      retryable: true,
    });
    expect(requests(/configmaps/)).toHaveLength(1);
  });

  it('undecodable for a success that is no object', async () => {
    server.answer((_, response) => response.writeHead(200).end('ok'));
    await expect(cluster.apply(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({ code: 'undecodable' });
  });

  it('a message without the credentials, whatever the API server says of them', async () => {
    server.answer((_, response) =>
      sendStatus(response, 403, 'Forbidden', `token ${token} and ${Buffer.from(token).toString('base64')}`),
    );
    await expect(cluster.create(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      message: 'create v1/ConfigMap/django-ray/a: 403 Forbidden token [REDACTED] and [REDACTED]',
    });
  });

  it('a message without the secrets of a redactor that it was given', async () => {
    const other = await openCluster(server.snapshot, { redactor: createRedactor(['another-secret-1']) });
    server.answer((_, response) => sendStatus(response, 422, 'Invalid', `another-secret-1 ${token}`));
    await expect(other.create(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      message: expect.stringMatching(/Invalid \[REDACTED\] \[REDACTED\]$/),
    });
    await other.close();
  });
});

describe('a mutation is sent', () => {
  it('as server-side apply with strict fields, never forced by itself', async () => {
    server.answer((_, response) => sendJson(response, 200, aConfigMap('a')));
    await cluster.apply(aConfigMap('a'), { fieldManager: 'm', dryRun: true });
    const [sent] = requests(/configmaps/);
    expect(sent).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/django-ray/configmaps/a',
      body: JSON.stringify(aConfigMap('a')),
    });
    expect(sent?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(Object.fromEntries(sent?.query ?? [])).toEqual({
      fieldManager: 'm',
      fieldValidation: 'Strict',
      force: 'false',
      dryRun: 'All',
    });
  });

  it('as a delete with its preconditions in the body', async () => {
    server.answer((_, response) => sendJson(response, 200, { kind: 'Status', status: 'Success' }));
    expect(await cluster.remove(ref, { uid: 'u', resourceVersion: '5', propagation: 'Foreground' })).toBe('deleted');
    expect(JSON.parse(requests(/configmaps/)[0]?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '5' },
      propagationPolicy: 'Foreground',
    });
  });
});

describe('logs are', () => {
  const options = { namespace: 'x', pod: 'p', container: 'c', tailLines: 5 };
  it.each([
    ['the text', (_: unknown, r) => r.writeHead(200).end('line\n'), { kind: 'found', value: 'line\n' }],
    [
      'absent without the pod',
      (_: unknown, r) => sendStatus(r, 404, 'NotFound', 'pods "p" not found'),
      { kind: 'absent' },
    ],
    [
      'absent without an earlier run',
      (_: unknown, r) => sendStatus(r, 400, 'BadRequest', 'previous terminated container "c" in pod "p" not found'),
      { kind: 'absent' },
    ],
    [
      'unreadable for now before the container has started',
      (_: unknown, r) =>
        sendStatus(r, 400, 'BadRequest', 'container "c" in pod "p" is waiting to start: ContainerCreating'),
      { kind: 'unreadable', retryable: true, reason: expect.stringMatching(/waiting to start/) },
    ],
  ] as [string, Handler, unknown][])('%s', async (_, handler, expected) => {
    server.answer(handler);
    expect(await cluster.logs(options)).toEqual(expected);
  });
});

describe('a connection', () => {
  it('is kept for the next request', async () => {
    server.answer((_, response) => sendJson(response, 200, aConfigMap('a')));
    for (let i = 0; i < 5; i++) await cluster.get(ref);
    expect(server.connections()).toBe(1);
  });

  it('that the server gives up under a request costs a read nothing, and a mutation is not sent twice', async () => {
    const used = new WeakSet<object>();
    server.answer(({ method }, response) => {
      const { socket } = response;
      if (!socket) return;
      if (used.has(socket)) {
        socket.destroy();
        return;
      }
      used.add(socket);
      sendJson(response, method === 'POST' ? 201 : 200, aConfigMap('a'));
    });
    expect(await cluster.get(ref)).toMatchObject({ kind: 'found' });
    expect(await cluster.get(ref)).toMatchObject({ kind: 'found' });
    await expect(cluster.create(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      code: 'unreachable',
      retryable: true,
    });
    expect(requests(/configmaps/).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST']);
  });

  it('carries the token', async () => {
    server.answer((_, response) => sendJson(response, 200, aConfigMap('a')));
    await cluster.get(ref);
    expect(server.seen.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
  });

  it('takes no notice of proxy variables', async () => {
    const proxy = { HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1', NODE_USE_ENV_PROXY: '1' };
    Object.assign(process.env, proxy);
    try {
      const other = await openCluster(server.snapshot);
      server.answer((_, response) => sendJson(response, 200, aConfigMap('a')));
      expect(await other.get(ref)).toMatchObject({ kind: 'found' });
      await other.close();
    } finally {
      for (const name of Object.keys(proxy)) delete process.env[name];
    }
  });

  it('is not used once the snapshot has changed on disk', async () => {
    await writeFile(server.snapshot.path, '{}');
    expect(await cluster.get(ref)).toMatchObject({
      kind: 'unreadable',
      retryable: false,
      reason: expect.stringMatching(/not what was pinned/),
    });
    await expect(cluster.apply(aConfigMap('a'), { fieldManager: 'm' })).rejects.toMatchObject({
      code: 'snapshot',
      retryable: false,
    });
    expect(server.seen).toEqual([]);
  });

  it('that is closed fails what is under way, at once', async () => {
    const slow = await openCluster(server.snapshot);
    server.answer(() => undefined);
    const reading = slow.get(ref);
    while (requests(/configmaps/).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await slow.close();
    expect(await reading).toMatchObject({ kind: 'unreadable', reason: expect.stringMatching(/was closed/) });
  });
});

describe('waitReachable', () => {
  it('ends when the API server is there and ready', async () => {
    await server.cut();
    let asked = 0;
    server.override('/readyz', (_, response) => response.writeHead(++asked < 3 ? 500 : 200).end());
    const waiting = cluster.waitReachable(deadlineIn(10));
    await server.listen();
    await waiting;
    expect(asked).toBe(3);
  });

  it('says on its deadline what the last answer was', async () => {
    server.override('/readyz', (_, response) => response.writeHead(500).end('[-]etcd failed'));
    await expect(cluster.waitReachable(deadlineIn(0.5))).rejects.toMatchObject({
      code: 'unreachable',
      retryable: true,
      message: expect.stringMatching(/was not ready within 0.5 s: \/readyz: 500 \[-\]etcd failed$/),
    });
  });

  it('does not wait for credentials to become good', async () => {
    server.override('/readyz', (_, response) => sendStatus(response, 401, 'Unauthorized', 'x'));
    await expect(cluster.waitReachable(deadlineIn(10))).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
