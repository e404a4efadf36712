import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import type { WatchStore } from '../../src/cluster/watchStore.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { runFolder } from '../../src/gate/flows/stateFolder.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { Observation } from '../../src/gate/model/observation.js';
import { createPinWatch, type PinWatch } from '../../src/gate/provider/pinWatch.js';
import { makePki, type TestPki } from '../builders/kubeconfig.js';
import { rayPodObject } from '../builders/objects.js';
import { digestA } from '../builders/pods.js';
import { type FakeApiServer, fakeApiServer, sendJson } from '../fakes/apiServer.js';
import { type WatchServer, watchServer } from '../fakes/watchServer.js';

let pki: TestPki;
let api: FakeApiServer;
let server: WatchServer;
let cluster: Cluster;
let store: WatchStore;
let pins: PinWatch;
let changes: string[];

const version = (object: KubeObject, resourceVersion: string, restarts = 0): KubeObject => {
  const status = object['status'] as { containerStatuses: readonly object[] };
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion },
    status: {
      ...status,
      containerStatuses: status.containerStatuses.map((one) => ({ ...one, restartCount: restarts })),
    },
  };
};
const head = rayPodObject('head-a', 'head');
const observation = {
  schema: 'raygate.observation/1',
  layer: 'ray',
  runId: 'run-1',
  startedAt: '2026-01-01T00:00:00Z',
  seconds: 1,
  facts: {
    restart: 'performed',
    retiredUids: [],
    clusterUid: 'cluster-uid',
    pods: [
      {
        name: 'head-a',
        uid: 'head-a-uid',
        role: 'head',
        restarts: 0,
        initContainers: [],
        containers: [{ name: 'ray-head', image: 'x', imageDigest: digestA }],
      },
    ],
    heads: 1,
    workers: 0,
    podsSha256: '',
  },
} as Observation;

beforeAll(async () => {
  pki = await makePki();
});
beforeEach(async () => {
  api = await fakeApiServer({ pki });
  api.override('/api/v1', (_, response) =>
    sendJson(response, 200, {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [{ name: 'pods', kind: 'Pod', namespaced: true }],
    }),
  );
  server = watchServer(api);
  server.items = [version(head, '1')];
  await watch(30);
  changes = [];
  pins = createPinWatch((code, detail) => changes.push(`${code}: ${detail}`));
});
async function watch(silenceSeconds: number) {
  await cluster?.close();
  cluster = await openCluster(api.snapshot, { watchSilenceSeconds: silenceSeconds });
  store = cluster.watch([{ kind: kinds.pod, namespace: 'django-ray' }]);
  await store.ready(deadlineIn(10));
  await vi.waitFor(() => expect(server.openStreams()).toBe(1), { timeout: 10_000 });
}
afterEach(async () => {
  await cluster.close();
  await api.close();
});

const restarted = expect.stringContaining('a container of pod head-a restarted (0 -> 1)');

describe('a watch of what was proven', () => {
  test('says a change the moment it comes, once', async () => {
    pins.attach(store);
    pins.pin(observation);
    server.send('MODIFIED', version(head, '101', 1));
    server.send('MODIFIED', version(head, '102', 2));
    await vi.waitFor(() => expect(changes).toEqual([restarted]));
    expect(pins.isEmpty()).toBe(true);
  });

  test('says a change that is taken back by the event right behind it', async () => {
    pins.attach(store);
    pins.pin(observation);
    const [there, back] = [version(head, '101', 1), version(head, '102', 0)];
    server.sendRaw(
      `${JSON.stringify({ type: 'MODIFIED', object: there })}\n${JSON.stringify({ type: 'MODIFIED', object: back })}\n`,
    );
    await vi.waitFor(() => expect(changes).toEqual([restarted]));
  });

  test.each([
    ['410', 30, () => server.send('ERROR', { kind: 'Status', code: 410 })],
    ['a stream that was cut', 30, () => server.cut()],
    ['a silent stream', 1, () => {}],
  ])(
    'says a change that only the next list shows, behind %s',
    async (_, silenceSeconds, cause) => {
      await watch(silenceSeconds);
      pins.attach(store);
      pins.pin(observation);
      server.items = [];
      cause();
      await vi.waitFor(() => expect(changes).toEqual([expect.stringContaining('pod head-a (head-a-uid) is gone')]), {
        timeout: 10_000,
      });
    },
    30_000,
  );

  test.each([
    ['pinned', () => pins.attach(store), () => pins.pin(observation)],
    ['watched', () => pins.pin(observation), () => pins.attach(store)],
  ])('says at once what changed before it was %s', async (_, before, after) => {
    server.send('MODIFIED', version(head, '101', 1));
    await vi.waitFor(() => {
      const read = store.view().get({ ...kinds.pod, name: 'head-a', namespace: 'django-ray' });
      expect(read.kind === 'found' && read.value.metadata.resourceVersion).toBe('101');
    });
    before();
    expect(changes).toEqual([]);
    after();
    expect(changes).toEqual([restarted]);
  });

  test('says nothing of what is not pinned any more, nor after its end', async () => {
    pins.attach(store);
    pins.pin(observation);
    pins.unpin('ray');
    server.send('DELETED', version(head, '101'));
    await store.until(
      (view) => {
        const read = view.list(kinds.pod);
        return read.kind === 'found' && read.value.length === 0
          ? { kind: 'ready', facts: {} }
          : { kind: 'waiting', code: 'x', detail: 'x' };
      },
      { deadline: deadlineIn(3), layer: 'ray' },
    );
    expect(changes).toEqual([]);
    pins.end();
    pins.pin(observation);
    expect(changes).toEqual([]);
  });
});

describe('what an earlier process of the same run saw', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-pins-'));
    await runFolder(folder, 'run-1').writeObservation(observation as Observation<'ray'>);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('is pinned again', async () => {
    server.send('DELETED', version(head, '101'));
    await pins.restore(runFolder(folder, 'run-1'), 'run-1');
    expect(pins.isEmpty()).toBe(false);
    pins.attach(store);
    await vi.waitFor(() => expect(changes).toEqual([expect.stringContaining('pod head-a (head-a-uid) is gone')]));
  });

  test('is not pinned when it is of another run', async () => {
    await pins.restore(runFolder(folder, 'run-1'), 'run-2');
    expect(pins.isEmpty()).toBe(true);
  });

  test('is pinned once: what a layer that runs anew has let go stays free', async () => {
    await pins.restore(runFolder(folder, 'run-1'), 'run-1');
    pins.unpin('ray');
    await pins.restore(runFolder(folder, 'run-1'), 'run-1');
    expect(pins.isEmpty()).toBe(true);
  });
});
