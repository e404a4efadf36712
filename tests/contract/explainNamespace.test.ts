import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { readingCluster } from '../../src/gate/flows/readingCluster.js';
import { explainedKinds, readNamespace } from '../../src/gate/flows/readNamespace.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { Cause, Explanation } from '../../src/gate/model/namespaceFacts.js';
import { explainNamespace } from '../../src/gate/rules/explainNamespace.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { startedApiServer } from './support/realKubeconfig.js';

const namespace = 'team-a';
const write = { fieldManager: 'holder' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
let server: OwnApiServer;
let folder: string;
let cluster: Cluster;

/** A server without controllers: what is deleted stays as a namespace controller that cannot go on would leave it. */
beforeAll(async () => {
  server = await startedApiServer();
  folder = await mkdtemp(join(tmpdir(), 'raygate-explain-'));
  cluster = await openCluster(await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, directory: folder }));
  await cluster.waitReachable(deadlineIn(60));
  await cluster.create({ ...kinds.namespace, metadata: { name: namespace } }, write);
});
afterAll(async () => {
  await cluster?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function explained(): Promise<Explanation> {
  const read = await readNamespace(readingCluster(cluster, explainedKinds), namespace);
  if (read.kind !== 'found') throw new Error(read.kind);
  return explainNamespace(read.value);
}
const with_ = (code: string) => (cause: Cause) => cause.code === `namespace.${code}`;

describe('a namespace on a real API server', () => {
  test('that does not exist is absent', async () => {
    expect(await readNamespace(readingCluster(cluster, explainedKinds), 'no-such')).toEqual({ kind: 'absent' });
  });

  test('with nothing wrong in it is converged, and nothing was written to find that out', async () => {
    const before = await server.writes();
    expect(await explained()).toMatchObject({ state: 'converged', causes: [] });
    expect(await server.writes()).toEqual(before);
  });

  test('that is stuck says of each object what holds it, and who put that there', async () => {
    const kept = { name: 'kept', namespace, finalizers: ['example.com/hold'] };
    await cluster.create({ ...configMap, metadata: kept }, write);
    await cluster.create({ ...configMap, metadata: { name: 'free', namespace } }, write);
    const secret = { ...kinds.secret, metadata: { name: 's', namespace }, stringData: { a: 'marker-of-a-secret' } };
    await cluster.create(secret, write);
    await cluster.remove({ ...configMap, name: 'kept', namespace });
    await cluster.remove({ ...kinds.namespace, name: namespace });
    const { state, summary, causes } = await explained();
    expect(state).toBe('terminating');
    expect(summary).toMatch(/^namespace team-a is terminating since 20.*: 3 objects of 2 kinds left$/);
    expect(causes.find(with_('finalizer-unknown'))).toEqual({
      code: 'namespace.finalizer-unknown',
      what: 'ConfigMap kept held by finalizer example.com/hold, put there by holder: raygate knows no controller that takes it away',
      next: expect.stringContaining('kubectl -n team-a patch configmaps kept --type=merge'),
    });
    expect(causes.find(with_('undeleted'))?.what).toBe('not deleted yet: ConfigMap (1), Secret (1)');
    expect(JSON.stringify(await readNamespace(readingCluster(cluster, explainedKinds), namespace))).not.toContain(
      'marker',
    );
  });

  test('says when an API service without a server is in the way', async () => {
    const spec = {
      group: 'broken.raygate.test',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { namespace: 'nowhere', name: 'adapter' },
    };
    await cluster.create({ ...kinds.apiService, metadata: { name: 'v1.broken.raygate.test' }, spec }, write);
    await expect
      .poll(async () => (await explained()).causes.find(with_('api-service-unavailable')), { timeout: 30_000 })
      .toMatchObject({
        what: expect.stringContaining('APIService v1.broken.raygate.test (Service nowhere/adapter) is unavailable: '),
        next: 'bring Service nowhere/adapter back; when it is gone for good: kubectl delete apiservice v1.broken.raygate.test',
      });
    const { causes } = await explained();
    expect(causes.find(with_('unreadable'))?.what).toContain('all of broken.raygate.test/v1 cannot be read');
  });
});
