import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { View, WatchStore } from '../../src/cluster/watchStore.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { failed, ready, type Verdict, waiting } from '../../src/core/verdict.js';
import { aConfigMap } from '../builders/kube.js';
import { makePki, type TestPki } from '../builders/kubeconfig.js';
import { type FakeApiServer, fakeApiServer, sendStatus } from '../fakes/apiServer.js';
import { type WatchServer, watchServer } from '../fakes/watchServer.js';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const widget = { apiVersion: 'x.test/v1', kind: 'Widget' };
const layer = 'workloads';

let pki: TestPki;
let fake: FakeApiServer;
let server: WatchServer;
let cluster: Cluster;
let store: WatchStore;
let events: string[];

beforeAll(async () => {
  pki = await makePki();
});
beforeEach(async () => {
  fake = await fakeApiServer({ pki });
  server = watchServer(fake);
  server.items = [aConfigMap('a')];
  cluster = await openCluster(fake.snapshot, { requestTimeoutSeconds: 1, watchSilenceSeconds: 0.5 });
  events = [];
});
afterEach(async () => {
  await cluster.close();
  await fake.close();
});

async function given(): Promise<void> {
  store = cluster.watch([{ kind, namespace: 'django-ray' }]);
  store.onEvent((event) =>
    events.push(`${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`),
  );
  await store.ready(deadlineIn(5));
  await eventually(() => server.openStreams() === 1);
}

const names = (view: View): string => {
  const listed = view.list(kind);
  if (listed.kind !== 'found') return listed.kind === 'absent' ? 'absent' : `unreadable: ${listed.reason}`;
  return listed.value.map((o) => `${o.metadata.name}@${o.metadata.resourceVersion}`).join(' ');
};
const shows = (expected: string) => (view: View) =>
  names(view) === expected ? ready({}) : waiting('test.shows', `${expected}, not ${names(view)}`);
const showing = (expected: string, seconds = 5) =>
  store.until(shows(expected), { deadline: deadlineIn(seconds), layer });

async function eventually(condition: () => boolean, seconds = 5): Promise<void> {
  const deadline = deadlineIn(seconds);
  while (!condition()) {
    if (deadline.passed()) throw new Error(`never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a watched kind', () => {
  it('is listed, then follows each event', async () => {
    await given();
    expect(names(store.view())).toBe('a@1');
    server.send('ADDED', aConfigMap('b', '101'));
    server.send('MODIFIED', aConfigMap('a', '102'));
    server.send('DELETED', aConfigMap('b', '103'));
    await showing('a@102');
    expect(events).toEqual(['added a@1', 'added b@101', 'modified a@102', 'deleted b@103']);
    expect(server.lists).toHaveLength(1);
    expect(Object.fromEntries(server.watches[0]?.query ?? [])).toEqual({
      watch: 'true',
      resourceVersion: '100',
      allowWatchBookmarks: 'true',
      timeoutSeconds: expect.stringMatching(/^(3|4|5)\d\d|600$/),
    });
  });

  it('gives a view that later events do not change', async () => {
    await given();
    const before = store.view();
    server.send('MODIFIED', aConfigMap('a', '101'));
    await showing('a@101');
    expect(names(before)).toBe('a@1');
    expect(store.view()).toBe(store.view());
  });

  it('goes on from the last bookmark, without a list, when the server ends the stream', async () => {
    await given();
    server.send('ADDED', aConfigMap('b', '101'));
    server.send('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '150' } });
    await showing('a@1 b@101');
    server.end();
    await eventually(() => server.watches.length === 2);
    expect(server.watches[1]?.query.get('resourceVersion')).toBe('150');
    expect(server.lists).toHaveLength(1);
    expect(names(store.view())).toBe('a@1 b@101');
  });

  it('reads events that arrive in pieces, also in the middle of a character', async () => {
    await given();
    const object = aConfigMap('b', '101', { data: { x: 'é😀' } });
    for (const byte of Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`)) {
      server.sendRaw(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    await showing('a@1 b@101');
    expect(store.view().get({ ...kind, name: 'b', namespace: 'django-ray' })).toEqual({ kind: 'found', value: object });
    expect(server.lists).toHaveLength(1);
  });

  const relists: { name: string; cause: () => void }[] = [
    { name: 'an ERROR event 410', cause: () => server.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }) },
    { name: 'any other ERROR event', cause: () => server.send('ERROR', { kind: 'Status', code: 500 }) },
    { name: 'an event that is not JSON', cause: () => server.sendRaw('{"type":\n') },
    { name: 'an event of an unknown type', cause: () => server.send('RENAMED', aConfigMap('a', '2')) },
    { name: 'an event whose object is none', cause: () => server.send('MODIFIED', { metadata: {} }) },
    { name: 'a bookmark without a version', cause: () => server.send('BOOKMARK', {}) },
    { name: 'a stream that is cut', cause: () => server.cut() },
    {
      name: 'a stream that ends within an event',
      cause: () => {
        server.sendRaw('{"type":"ADD');
        server.end();
      },
    },
    { name: 'a stream that says nothing for too long', cause: () => undefined },
  ];
  it.each(relists)('is listed anew after $name, and what it had missed comes out as events', async ({ cause }) => {
    await given();
    server.items = [aConfigMap('c', '190'), aConfigMap('b', '180')];
    server.resourceVersion = '200';
    cause();
    await showing('c@190 b@180');
    expect(events).toEqual(['added a@1', 'deleted a@1', 'added c@190', 'added b@180']);
    await eventually(() => server.watches.length === 2);
    expect(server.watches[1]?.query.get('resourceVersion')).toBe('200');
  });

  it('is listed anew when the watch itself is answered with 410', async () => {
    server.onWatch = (_, response) => sendStatus(response, 410, 'Gone', 'too old');
    store = cluster.watch([{ kind, namespace: 'django-ray' }]);
    await eventually(() => server.lists.length === 2);
    server.onWatch = undefined;
    await showing('a@1');
  });

  it('does not take a stream with bookmarks alone for a silent one', async () => {
    await given();
    for (let i = 0; i < 8; i++) {
      server.send('BOOKMARK', { metadata: { resourceVersion: String(101 + i) } });
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(server.lists).toHaveLength(1);
  });

  it('shows an object made anew under its name as deleted, then added', async () => {
    await given();
    server.items = [aConfigMap('a', '150', { metadata: { uid: 'another' } })];
    server.cut();
    await showing('a@150');
    expect(events).toEqual(['added a@1', 'deleted a@1', 'added a@150']);
  });

  it('is unreadable while the API server is away, not old, and back afterwards', async () => {
    await given();
    await fake.cut();
    await eventually(() => names(store.view()).startsWith('unreadable'));
    expect(store.view().list(kind)).toEqual({
      kind: 'unreadable',
      retryable: true,
      reason: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)$/),
    });
    server.items = [aConfigMap('a', '300')];
    await fake.listen();
    await showing('a@300', 10);
    expect(events).toEqual(['added a@1', 'modified a@300']);
  });

  it('asks with growing pauses while the API server is in trouble', async () => {
    await given();
    server.onList = (_, response) => sendStatus(response, 503, 'ServiceUnavailable', 'x');
    server.cut();
    const before = server.lists.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const asked = server.lists.length - before;
    expect(asked).toBeGreaterThanOrEqual(2);
    expect(asked).toBeLessThanOrEqual(6);
  });

  it('does not ask without end a server that ends every stream at once', async () => {
    server.onWatch = (_, response) => response.writeHead(200).end();
    store = cluster.watch([{ kind, namespace: 'django-ray' }]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.watches.length).toBeLessThanOrEqual(8);
  });

  it('that may be listed but not watched is unreadable, until it may', async () => {
    await given();
    server.onWatch = (_, response) => sendStatus(response, 403, 'Forbidden', 'no');
    server.cut();
    const reason = 'unreadable: v1/ConfigMap: the watch was answered with status 403';
    await showing(reason);
    await eventually(() => server.watches.length >= 4);
    expect(names(store.view())).toBe(reason);
    server.onWatch = undefined;
    await showing('a@1');
  });

  it('that is not served is absent', async () => {
    fake.override('/apis/x.test/v1', (_, response) => response.writeHead(404).end());
    store = cluster.watch([{ kind: widget }]);
    await store.ready(deadlineIn(5));
    expect(store.view().list(widget)).toEqual({ kind: 'absent' });
    expect(store.view().get({ ...widget, name: 'x' })).toEqual({ kind: 'absent' });
  });
});

describe('a view', () => {
  it('joins a kind that is watched in several namespaces, and finds an object in its own', async () => {
    server.onList = ({ path }, response) => {
      const namespace = path.split('/')[4] ?? '';
      response.end(
        JSON.stringify({
          metadata: { resourceVersion: '1' },
          items: [aConfigMap('a', '1', { metadata: { namespace } })],
        }),
      );
    };
    store = cluster.watch([
      { kind, namespace: 'one' },
      { kind, namespace: 'two' },
    ]);
    await store.ready(deadlineIn(5));
    const view = store.view();
    expect(view.list(kind)).toMatchObject({
      value: [{ metadata: { namespace: 'one' } }, { metadata: { namespace: 'two' } }],
    });
    expect(view.get({ ...kind, name: 'a', namespace: 'two' })).toMatchObject({
      kind: 'found',
      value: { metadata: { namespace: 'two' } },
    });
    expect(view.get({ ...kind, name: 'b', namespace: 'two' })).toEqual({ kind: 'absent' });
    expect(view.get({ ...kind, name: 'a', namespace: 'three' })).toEqual({
      kind: 'unreadable',
      reason: 'v1/ConfigMap in three is not watched',
      retryable: false,
    });
    expect(view.list(widget)).toEqual({
      kind: 'unreadable',
      reason: 'x.test/v1/Widget is not watched',
      retryable: false,
    });
  });

  it('says nothing of a kind before its first list', () => {
    store = cluster.watch([{ kind, namespace: 'django-ray' }]);
    expect(names(store.view())).toBe('unreadable: v1/ConfigMap has not been listed yet');
  });
});

describe('ready', () => {
  it('fails at once for a kind that may not be read', async () => {
    server.onList = (_, response) => sendStatus(response, 403, 'Forbidden', 'no rights');
    store = cluster.watch([{ kind, namespace: 'django-ray' }]);
    await expect(store.ready(deadlineIn(30), layer)).rejects.toMatchObject({
      layer,
      code: 'cluster.unreadable',
      message: 'list v1/ConfigMap in django-ray: 403 Forbidden no rights',
    });
  });

  it('names on its deadline what could not be listed', async () => {
    server.onList = (_, response) => sendStatus(response, 503, 'ServiceUnavailable', 'starting');
    store = cluster.watch([{ kind, namespace: 'django-ray' }]);
    await expect(store.ready(deadlineIn(0.3))).rejects.toMatchObject({
      layer: 'preflight',
      code: 'cluster.not-listed',
      retryable: true,
      message: expect.stringMatching(/^not within 0.3 s; still waiting: list v1\/ConfigMap in django-ray: 503/),
    });
  });
});

describe('until', () => {
  it('ends with the facts as soon as an event makes them true', async () => {
    await given();
    const judge = (view: View): Verdict<string> =>
      names(view).includes('b@') ? ready(names(view)) : waiting('test.b', 'b');
    const wait = store.until(judge, { deadline: deadlineIn(5), layer });
    server.send('ADDED', aConfigMap('b', '101'));
    expect(await wait).toBe('a@1 b@101');
  });

  it('judges events that arrive together once', async () => {
    await given();
    let judged = 0;
    const judge = (view: View): Verdict => {
      judged++;
      return names(view).includes('z@') ? ready({}) : waiting('test.z', 'z');
    };
    const wait = store.until(judge, { deadline: deadlineIn(5), layer });
    const lines = [...Array(200).keys()].map((i) => aConfigMap(`n${i}`, String(101 + i)));
    server.sendRaw(
      [...lines, aConfigMap('z', '999')].map((object) => `${JSON.stringify({ type: 'ADDED', object })}\n`).join(''),
    );
    await wait;
    expect(judged).toBeLessThan(20);
  });

  it('fails at once when it can never be, with the code and the layer', async () => {
    await given();
    const judge = (view: View): Verdict =>
      names(view).includes('bad@') ? failed('test.bad', 'bad is there') : waiting('test.x', 'x');
    const wait = store.until(judge, { deadline: deadlineIn(30), layer });
    server.send('ADDED', aConfigMap('bad', '101'));
    await expect(wait).rejects.toMatchObject({
      isRaygateError: true,
      layer,
      code: 'test.bad',
      message: 'bad is there',
      retryable: false,
    });
  });

  it('says on its deadline what it still waited for', async () => {
    await given();
    await expect(
      store.until(() => waiting('test.x', 'x of y'), { deadline: deadlineIn(0.2), layer }),
    ).rejects.toMatchObject({
      layer,
      code: 'test.x',
      message: 'not within 0.2 s; still waiting: x of y',
      retryable: true,
    });
  });

  it('tells of progress once a change', async () => {
    await given();
    const lines: string[] = [];
    const judge = (view: View): Verdict => {
      const listed = view.list(kind);
      const count = listed.kind === 'found' ? listed.value.length : 0;
      return count === 3 ? ready({}) : waiting('test.count', `${count} of 3`);
    };
    const wait = store.until(judge, { deadline: deadlineIn(5), layer, onProgress: (line) => lines.push(line) });
    server.send('MODIFIED', aConfigMap('a', '101'));
    await eventually(() => events.length === 2);
    server.send('ADDED', aConfigMap('b', '102'));
    await eventually(() => lines.length === 2);
    server.send('ADDED', aConfigMap('c', '103'));
    await wait;
    expect(lines).toEqual(['1 of 3', '2 of 3']);
  });

  it('judges on a timer too when that is asked for', async () => {
    await given();
    const start = performance.now();
    const judge = (): Verdict => (performance.now() - start > 150 ? ready({}) : waiting('test.time', 'time'));
    await store.until(judge, { deadline: deadlineIn(5), layer, everySeconds: 0.05 });
    expect(performance.now() - start).toBeLessThan(400);
  });

  it('believes what a list confirms', async () => {
    await given();
    await store.until(shows('a@1'), { deadline: deadlineIn(5), layer, confirm: true });
    expect(server.lists).toHaveLength(2);
  });

  it('goes on waiting when the confirming list shows something else', async () => {
    await given();
    server.items = [aConfigMap('a', '2')];
    server.resourceVersion = '200';
    let ended = false;
    const wait = store.until(shows('a@1'), { deadline: deadlineIn(5), layer, confirm: true }).then(() => {
      ended = true;
    });
    await eventually(() => server.watches.at(-1)?.query.get('resourceVersion') === '200' && server.openStreams() === 1);
    expect(ended).toBe(false);
    server.items = [aConfigMap('a', '1')];
    server.send('MODIFIED', aConfigMap('a', '1'));
    await wait;
  });

  it('believes nothing that cannot be confirmed before the deadline', async () => {
    await given();
    server.onList = () => undefined;
    await expect(store.until(shows('a@1'), { deadline: deadlineIn(0.3), layer, confirm: true })).rejects.toMatchObject({
      code: 'cluster.unconfirmed',
      retryable: true,
    });
  });

  it('ends when the store is closed', async () => {
    await given();
    const wait = store.until(() => waiting('test.x', 'x'), { deadline: deadlineIn(30), layer });
    await store.close();
    await expect(wait).rejects.toMatchObject({
      code: 'cluster.closed',
      message: 'the watch was closed while waiting: x',
    });
    await eventually(() => server.openStreams() === 0);
  });

  it('passes on what the judge itself throws', async () => {
    await given();
    const broken = () => {
      throw new Error('a rule that throws');
    };
    await expect(store.until(broken, { deadline: deadlineIn(5), layer })).rejects.toThrow('a rule that throws');
  });

  it('prints no secret that a verdict holds', async () => {
    await given();
    const secret = fake.snapshot.secrets[0] ?? '';
    await expect(
      store.until(() => failed('test.x', `has ${secret}`), { deadline: deadlineIn(5), layer }),
    ).rejects.toMatchObject({
      message: 'has [REDACTED]',
    });
  });
});

it('a listener that throws makes its kind unreadable: nothing is kept up to date in silence', async () => {
  await given();
  store.onEvent(() => {
    throw new Error('boom');
  });
  server.send('MODIFIED', aConfigMap('a', '101'));
  await eventually(() => names(store.view()).includes('an error of this program'));
});
