import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import type { WatchEvent } from '../../src/cluster/watchStore.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { found } from '../../src/core/outcome.js';
import { ready, waiting } from '../../src/core/verdict.js';
import { type RealCluster, realKubeconfig } from './support/realKubeconfig.js';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const widget = { apiVersion: 'contract.raygate.test/v1', kind: 'Widget' };
const fieldManager = 'raygate-contract';
const namespace = `contract-${process.pid}-${Date.now().toString(36)}`;

let folder: string;
let cluster: Cluster;
let real: RealCluster;

beforeAll(async () => {
  real = await realKubeconfig();
  folder = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
  const snapshot = await takeSnapshot({ kubeconfigPath: real.path, directory: folder });
  cluster = await openCluster(snapshot);
  await cluster.waitReachable(deadlineIn(60));
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, { fieldManager });
});

afterAll(async () => {
  await cluster?.remove({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  await cluster?.remove({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: 'widgets.contract.raygate.test',
  });
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
  await real?.release();
});

const aConfigMap = (name: string, data: Record<string, string> = {}): KubeObject => ({
  ...configMap,
  metadata: { name, namespace },
  data,
});

describe('a real API server', () => {
  it('tells its version', async () => {
    expect(await cluster.version()).toEqual({ kind: 'found', value: expect.stringMatching(/^v1\.\d+\.\d+/) });
  });

  it('says absent for an object that is not there, a namespace that is not there, and a kind that it does not serve', async () => {
    expect(await cluster.get({ ...configMap, name: 'no', namespace })).toEqual({ kind: 'absent' });
    expect(await cluster.get({ ...configMap, name: 'no', namespace: 'no-such' })).toEqual({ kind: 'absent' });
    expect(await cluster.get({ apiVersion: 'no.such.group/v1', kind: 'Nothing', name: 'x' })).toEqual({
      kind: 'absent',
    });
    expect(await cluster.get({ apiVersion: 'apps/v1', kind: 'Nothing', name: 'x' })).toEqual({ kind: 'absent' });
    expect(await cluster.list({ apiVersion: 'v1', kind: 'Nothing' })).toEqual({ kind: 'absent' });
  });

  it('creates once: the second time it already exists', async () => {
    const made = await cluster.create(aConfigMap('created', { a: '1' }), { fieldManager });
    expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    await expect(cluster.create(aConfigMap('created'), { fieldManager })).rejects.toMatchObject({
      code: 'already-exists',
      status: 409,
      retryable: false,
    });
    expect(await cluster.get({ ...configMap, name: 'created', namespace })).toEqual(found(made));
  });

  it('applies fields under one manager, and a field of another manager is a conflict unless forced', async () => {
    await cluster.apply(aConfigMap('applied', { a: '1', b: '1' }), { fieldManager });
    const again = await cluster.apply(aConfigMap('applied', { a: '2' }), { fieldManager });
    expect(again['data']).toEqual({ a: '2' });
    await expect(cluster.apply(aConfigMap('applied', { a: '3' }), { fieldManager: 'other' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/conflict with "raygate-contract"/),
    });
    const forced = await cluster.apply(aConfigMap('applied', { a: '3' }), { fieldManager: 'other', force: true });
    expect(forced['data']).toEqual({ a: '3' });
  });

  it('refuses an unknown field by its name, and an invalid object', async () => {
    const bad = { ...aConfigMap('strict'), dota: { a: '1' } };
    await expect(cluster.apply(bad, { fieldManager })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/dota/),
    });
    await expect(cluster.create(bad, { fieldManager })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/dota/),
    });
    await expect(cluster.create(aConfigMap('No_Name'), { fieldManager })).rejects.toMatchObject({
      code: 'invalid',
      status: 422,
    });
  });

  it('stores nothing in a dry run, but answers with the object', async () => {
    const planned = await cluster.apply(aConfigMap('planned', { a: '1' }), { fieldManager, dryRun: true });
    expect(planned['data']).toEqual({ a: '1' });
    expect(await cluster.get({ ...configMap, name: 'planned', namespace })).toEqual({ kind: 'absent' });
  });

  it('patches, also a subresource', async () => {
    await cluster.create(aDeployment('patched'), { fieldManager });
    const ref = { ...deployment, name: 'patched', namespace };
    const merged = await cluster.patch(ref, { metadata: { annotations: { x: 'y' } } }, { type: 'merge', fieldManager });
    expect(merged.metadata.annotations).toMatchObject({ x: 'y' });
    const image = { spec: { template: { spec: { containers: [{ name: 'main', image: 'b:2' }] } } } };
    const strategic = await cluster.patch(ref, image, { type: 'strategic', fieldManager });
    expect(JSON.stringify(strategic)).toContain('"name":"main","image":"b:2"');
    await cluster.patch(ref, { spec: { replicas: 0 } }, { type: 'merge', fieldManager, subresource: 'scale' });
    expect(await cluster.get(ref)).toMatchObject({ value: { spec: { replicas: 0 } } });
    await expect(cluster.patch({ ...ref, name: 'no' }, {}, { type: 'merge', fieldManager })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('deletes only what it was meant to', async () => {
    const made = await cluster.create(aConfigMap('removed'), { fieldManager });
    const ref = { ...configMap, name: 'removed', namespace };
    const other = '00000000-0000-0000-0000-000000000000';
    await expect(cluster.remove(ref, { uid: other })).rejects.toMatchObject({ code: 'conflict' });
    await expect(cluster.remove(ref, { resourceVersion: '1' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await cluster.remove(ref, { uid: made.metadata.uid ?? '', dryRun: true })).toBe('deleted');
    expect(await cluster.get(ref)).toMatchObject({ kind: 'found' });
    expect(await cluster.remove(ref, { uid: made.metadata.uid ?? '' })).toBe('deleted');
    expect(await cluster.remove(ref)).toBe('absent');
  });

  it('lists all pages, and fills in the kind of each item', async () => {
    for (let i = 0; i < 7; i++) {
      await cluster.create(
        { ...aConfigMap(`page-${i}`), metadata: { name: `page-${i}`, namespace, labels: { page: 'yes' } } },
        { fieldManager },
      );
    }
    const listed = await cluster.list(configMap, { namespace, labelSelector: 'page=yes', pageSize: 3 });
    if (listed.kind !== 'found') throw new Error(JSON.stringify(listed));
    expect(listed.value.items.map((item) => [item.apiVersion, item.kind, item.metadata.name])).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => ['v1', 'ConfigMap', `page-${i}`]),
    );
    const one = await cluster.list(configMap, { namespace, fieldSelector: 'metadata.name=page-3' });
    expect(one).toMatchObject({ value: { items: [{ metadata: { name: 'page-3' } }] } });
  });

  it('calls a reference wrong before it is sent, and a bad selector invalid', async () => {
    expect(await cluster.get({ ...configMap, name: 'x' })).toEqual({
      kind: 'unreadable',
      reason: 'v1/ConfigMap/x needs a namespace',
      retryable: false,
    });
    expect(await cluster.get({ apiVersion: 'v1', kind: 'Namespace', name: 'x', namespace: 'y' })).toMatchObject({
      kind: 'unreadable',
    });
    expect(await cluster.get({ ...configMap, name: '..', namespace })).toMatchObject({ kind: 'unreadable' });
    expect(await cluster.list(configMap, { labelSelector: '!!' })).toMatchObject({
      kind: 'unreadable',
      retryable: false,
    });
  });

  it('says absent for logs of a pod that is not there, and not-found for a command in it', async () => {
    expect(await cluster.logs({ namespace, pod: 'no', container: 'main', tailLines: 5 })).toEqual({ kind: 'absent' });
    await expect(
      cluster.exec({ namespace, pod: 'no', container: 'main', argv: ['true'], timeoutSeconds: 10 }),
    ).rejects.toMatchObject({ code: 'not-found', status: 404 });
  });

  it('is asked nothing more once the snapshot file has changed', async () => {
    const other = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
    const copy = await takeSnapshot({ kubeconfigPath: real.path, directory: other });
    const swapped = await openCluster(copy);
    expect(await swapped.version()).toMatchObject({ kind: 'found' });
    await writeFile(copy.path, '{}');
    expect(await swapped.version()).toMatchObject({
      kind: 'unreadable',
      retryable: false,
      reason: expect.stringMatching(/not what was pinned/),
    });
    await expect(swapped.create(aConfigMap('never'), { fieldManager })).rejects.toMatchObject({ code: 'snapshot' });
    await swapped.close();
    await rm(other, { recursive: true });
  });

  it('serves a kind from the moment its definition is there until it goes', async () => {
    const listed = () => cluster.list(widget, { namespace });
    expect(await listed()).toEqual({ kind: 'absent' });
    const store = cluster.watch([{ kind: widget, namespace }]);
    await store.ready(deadlineIn(20));
    expect(store.view().list(widget)).toEqual({ kind: 'absent' });
    await cluster.apply(widgetDefinition, { fieldManager });
    await store.until((view) => (view.list(widget).kind === 'found' ? ready({}) : waiting('x', 'widgets')), {
      deadline: deadlineIn(40),
      layer: 'preflight',
    });
    await cluster.create({ ...widget, metadata: { name: 'one', namespace } }, { fieldManager });
    await store.until(
      (view) =>
        view.get({ ...widget, name: 'one', namespace }).kind === 'found' ? ready({}) : waiting('x', 'a widget'),
      { deadline: deadlineIn(10), layer: 'preflight', confirm: true },
    );
    await cluster.remove({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'widgets.contract.raygate.test',
    });
    await store.until((view) => (view.list(widget).kind === 'absent' ? ready({}) : waiting('x', 'no widgets')), {
      deadline: deadlineIn(40),
      layer: 'preflight',
    });
    expect(await listed()).toEqual({ kind: 'absent' });
    await store.close();
  });
});

describe('a watch on a real API server', () => {
  it('shows each change as it happens, in order', async () => {
    const store = cluster.watch([{ kind: configMap, namespace, labelSelector: 'watched=yes' }]);
    const events: string[] = [];
    store.onEvent((event: WatchEvent) =>
      events.push(`${event.type} ${event.object.metadata.name} ${JSON.stringify(event.object['data'])}`),
    );
    await store.ready(deadlineIn(20));
    const ref = { ...configMap, name: 'seen', namespace };
    const object = (data: string, labels: Record<string, string>) => ({
      ...aConfigMap('seen', { data }),
      metadata: { name: 'seen', namespace, labels },
    });
    await cluster.apply(object('1', { watched: 'yes' }), { fieldManager });
    await cluster.apply(object('2', { watched: 'yes' }), { fieldManager });
    await cluster.apply(object('3', { watched: 'no' }), { fieldManager });
    await cluster.apply(object('4', { watched: 'yes' }), { fieldManager });
    await cluster.remove(ref);
    await store.until(
      (view) => (events.length >= 5 && view.get(ref).kind === 'absent' ? ready({}) : waiting('x', 'five events')),
      {
        deadline: deadlineIn(10),
        layer: 'workloads',
      },
    );
    expect(events).toEqual([
      'added seen {"data":"1"}',
      'modified seen {"data":"2"}',
      expect.stringMatching(/^deleted seen/),
      'added seen {"data":"4"}',
      expect.stringMatching(/^deleted seen/),
    ]);
    await store.close();
  });

  it('ends a wait within a second of the change, and a wait that fails on its deadline says what it waited for', async () => {
    const store = cluster.watch([{ kind: configMap, namespace }]);
    await store.ready(deadlineIn(20));
    const judge = (view: ReturnType<typeof store.view>) => {
      const object = view.get({ ...configMap, name: 'late', namespace });
      return object.kind === 'found' ? ready(object.value.metadata.uid) : waiting('test.late', 'ConfigMap late');
    };
    const progress: string[] = [];
    const wait = store.until(judge, {
      deadline: deadlineIn(20),
      layer: 'workloads',
      onProgress: (line) => progress.push(line),
    });
    const made = await cluster.create(aConfigMap('late'), { fieldManager });
    const start = performance.now();
    expect(await wait).toBe(made.metadata.uid);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(progress).toEqual(['ConfigMap late']);
    await expect(
      store.until(() => waiting('test.never', 'what never comes'), { deadline: deadlineIn(0.3), layer: 'workloads' }),
    ).rejects.toMatchObject({
      layer: 'workloads',
      code: 'test.never',
      retryable: true,
      message: 'not within 0.3 s; still waiting: what never comes',
    });
    await store.close();
  });
});

function aDeployment(name: string): KubeObject {
  return {
    ...deployment,
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'a:1' }] } },
    },
  };
}

const widgetDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.contract.raygate.test' },
  spec: {
    group: 'contract.raygate.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
