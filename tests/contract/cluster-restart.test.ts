import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import type { View, WatchStore } from '../../src/cluster/watchStore.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { ready, waiting } from '../../src/core/verdict.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { startedApiServer } from './support/realKubeconfig.js';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const namespace = 'default';
const write = { fieldManager: 'raygate-contract' };

let server: OwnApiServer;
let folder: string;
let cluster: Cluster;
let store: WatchStore;

beforeAll(async () => {
  server = await startedApiServer();
  folder = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
  const snapshot = await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, directory: folder });
  cluster = await openCluster(snapshot, { watchSilenceSeconds: 5, requestTimeoutSeconds: 3 });
  await cluster.waitReachable(deadlineIn(60));
  store = cluster.watch([{ kind: configMap, namespace }]);
  await store.ready(deadlineIn(20));
});

afterAll(async () => {
  await cluster?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const named = (name: string): KubeObject => ({ ...configMap, metadata: { name, namespace } });
const appears = (name: string) => (view: View) =>
  view.get({ ...configMap, name, namespace }).kind === 'found' ? ready({}) : waiting('test.missing', name);
const unreadable = (view: View) =>
  view.list(configMap).kind === 'unreadable' ? ready({}) : waiting('test.readable', 'the outage to show');

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'comes back after an API server that was ended by %s, and misses nothing',
  async (signal) => {
    const before = `before-${signal.toLowerCase()}`;
    const after = `after-${signal.toLowerCase()}`;
    await cluster.create(named(before), write);
    await store.until(appears(before), { deadline: deadlineIn(5), layer: 'workloads' });

    await server.stop(signal);
    await store.until(unreadable, { deadline: deadlineIn(10), layer: 'workloads' });
    expect(await cluster.get({ ...configMap, name: before, namespace })).toMatchObject({
      kind: 'unreadable',
      retryable: true,
    });
    await expect(cluster.create(named(after), write)).rejects.toMatchObject({ code: 'unreachable', retryable: true });
    await expect(cluster.waitReachable(deadlineIn(0.5))).rejects.toMatchObject({ code: 'unreachable' });

    const wait = store.until(appears(after), { deadline: deadlineIn(60), layer: 'workloads', confirm: true });
    await server.start();
    await cluster.waitReachable(deadlineIn(60));
    await cluster.create(named(after), write);
    await wait;
    expect(store.view().get({ ...configMap, name: before, namespace })).toMatchObject({ kind: 'found' });
  },
);

it('notices an API server that hangs without closing a connection, and goes on when it wakes', async () => {
  server.signal('SIGSTOP');
  const start = performance.now();
  await store.until(unreadable, { deadline: deadlineIn(30), layer: 'workloads' });
  expect(performance.now() - start).toBeLessThan(12_000);
  expect(await cluster.get({ ...configMap, name: 'x', namespace })).toMatchObject({
    kind: 'unreadable',
    retryable: true,
    reason: expect.stringMatching(/no answer within 3 s/),
  });
  server.signal('SIGCONT');
  await cluster.waitReachable(deadlineIn(60));
  await cluster.create(named('awake'), write);
  await store.until(appears('awake'), { deadline: deadlineIn(30), layer: 'workloads', confirm: true });
});

it('a wait whose deadline passes in an outage says so', async () => {
  await server.stop('SIGKILL');
  await store.until(unreadable, { deadline: deadlineIn(10), layer: 'workloads' });
  const judge = (view: View) => {
    const listed = view.list(configMap);
    return listed.kind === 'unreadable' ? waiting('cluster.unreadable', listed.reason) : ready({});
  };
  await expect(store.until(judge, { deadline: deadlineIn(1), layer: 'workloads' })).rejects.toMatchObject({
    layer: 'workloads',
    code: 'cluster.unreadable',
    retryable: true,
    message: expect.stringMatching(/^not within 1 s; still waiting: .*cannot be reached \(ECONNREFUSED\)$/),
  });
  await server.start();
});
