import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { failed, ready } from '../../src/core/verdict.js';
import { checkStorage } from '../../src/gate/flows/preflightStorage.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { PlannedManifest } from '../../src/gate/model/plan.js';
import { type ClaimFacts, judgeStorage, type StorageFacts } from '../../src/gate/rules/storage.js';
import { localPath } from '../../src/lab/operators/localPath.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const claim = (over: Partial<ClaimFacts> = {}): ClaimFacts => ({
  name: 'runtime-env-pvc',
  accessModes: ['ReadWriteMany'],
  bound: false,
  ...over,
});
const facts = (provisioner: string | undefined, over: Partial<StorageFacts> = {}): StorageFacts => ({
  claims: [claim()],
  defaultClass: provisioner === undefined ? undefined : { name: 'standard', provisioner },
  sharedLocalPath: false,
  nodes: 1,
  ...over,
});
const refused = (provisioner: string) =>
  failed(
    'preflight.storage-access',
    `Claim runtime-env-pvc asks for ReadWriteMany, and the default StorageClass standard (${provisioner}) serves ReadWriteOnce only: set raygate:runtimeEnvAccess to RWO, which serves one node, or make a class of shared storage the default.`,
  );
const passes = (...notes: string[]) => ready({ notes });
const once = { claims: [claim({ accessModes: ['ReadWriteOnce'] })] };

describe('storage', () => {
  it.each<{ name: string; given: StorageFacts; verdict: unknown }>([
    {
      name: "kind's local path refuses RWX",
      given: facts('rancher.io/local-path'),
      verdict: refused('rancher.io/local-path'),
    },
    {
      name: 'OpenEBS local volumes refuse RWX',
      given: facts('openebs.io/local'),
      verdict: refused('openebs.io/local'),
    },
    { name: "Docker Desktop's host path serves RWX", given: facts('docker.io/hostpath'), verdict: passes() },
    {
      name: 'local path on a shared folder serves RWX, as in the lab',
      given: facts('rancher.io/local-path', { sharedLocalPath: true }),
      verdict: passes(),
    },
    {
      name: 'a shared folder of local path says nothing for another provisioner',
      given: facts('openebs.io/local', { sharedLocalPath: true }),
      verdict: refused('openebs.io/local'),
    },
    {
      name: 'an unknown provisioner passes with a note',
      given: facts('example.com/disk'),
      verdict: passes(
        'whether StorageClass standard (example.com/disk) serves ReadWriteMany is not known: claim runtime-env-pvc stays Pending if it does not',
      ),
    },
    {
      name: 'no default class passes with a note',
      given: facts(undefined),
      verdict: passes(
        'no StorageClass is the default: runtime-env-pvc stay Pending until one is, or until a volume is made for them by hand',
      ),
    },
    {
      name: 'a claim that is bound needs no class',
      given: facts(undefined, { claims: [claim({ bound: true })] }),
      verdict: passes(),
    },
    {
      name: 'a claim that is bound is not asked of the provisioner again',
      given: facts('rancher.io/local-path', { claims: [claim({ bound: true })] }),
      verdict: passes(),
    },
    { name: 'RWO on local path passes', given: facts('rancher.io/local-path', once), verdict: passes() },
    {
      name: 'RWO on several nodes passes with a note',
      given: facts('rancher.io/local-path', { ...once, nodes: 3 }),
      verdict: passes('runtime-env-pvc serve one node each, and the cluster has 3'),
    },
  ])('$name', ({ given, verdict }) => {
    expect(judgeStorage(given)).toEqual(verdict);
  });
});

describe('preflight of storage', () => {
  let cluster: FakeCluster;
  beforeEach(() => {
    cluster = fakeCluster();
  });
  const planned = (accessModes: readonly string[]): PlannedManifest => ({
    identity: 'v1/PersistentVolumeClaim/django-ray/runtime-env-pvc',
    phase: 'prerequisite',
    manifest: { ...kinds.claim, metadata: { name: 'runtime-env-pvc', namespace: 'django-ray' }, spec: { accessModes } },
  });
  const check = (objects = [planned(['ReadWriteMany'])]) =>
    checkStorage(objects, { layer: 'preflight', deadline: deadlineIn(5), cluster });
  const storageClass = (name: string, created: string, standard = true, provisioner = 'rancher.io/local-path') =>
    cluster.put({
      ...kinds.storageClass,
      metadata: {
        name,
        creationTimestamp: created,
        annotations: { 'storageclass.kubernetes.io/is-default-class': String(standard) },
      },
      provisioner,
    });
  const refusal = { layer: 'preflight', code: 'preflight.storage-access' };

  it('asks nothing for a plan without claims', async () => {
    cluster.failNext('list', new ClusterError({ code: 'forbidden', message: 'no' }));
    expect(await check([])).toEqual([]);
  });

  it('refuses RWX on the default class, by its name', async () => {
    storageClass('standard', '2026-01-01T00:00:00Z');
    storageClass('shared', '2026-02-02T00:00:00Z', false, 'docker.io/hostpath');
    await expect(check()).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('StorageClass standard'),
    });
  });

  it('takes the newest of several default classes, as Kubernetes does', async () => {
    storageClass('old', '2025-01-01T00:00:00Z', true, 'docker.io/hostpath');
    storageClass('new', '2026-01-01T00:00:00Z');
    await expect(check()).rejects.toMatchObject(refusal);
  });

  it("reads off the lab's own settings that its folder is shared", async () => {
    const { objects } = localPath({ image: 'a:1', helperImage: 'b:1', folder: '/storage' });
    for (const object of objects) cluster.put(object);
    expect(await check()).toEqual([]);
  });

  it.each(['{', '{}', '{"sharedFileSystemPath":""}', '{"nodePathMap":[]}'])(
    'takes settings %s for none',
    async (text) => {
      storageClass('standard', '2026-01-01T00:00:00Z');
      const metadata = { name: 'local-path-config', namespace: 'local-path-storage' };
      cluster.put({ ...kinds.configMap, metadata, data: { 'config.json': text } });
      await expect(check()).rejects.toMatchObject(refusal);
    },
  );

  it.each([
    ['Bound', ['ReadWriteMany'], true],
    ['Pending', ['ReadWriteMany'], false],
    ['Bound', ['ReadWriteOnce'], false],
  ])('takes a claim that is %s for %j as served: %s', async (phase, accessModes, served) => {
    storageClass('standard', '2026-01-01T00:00:00Z');
    const metadata = { name: 'runtime-env-pvc', namespace: 'django-ray' };
    cluster.put({ ...kinds.claim, metadata, status: { phase, accessModes } });
    if (served) expect(await check()).toEqual([]);
    else await expect(check()).rejects.toMatchObject(refusal);
  });

  it('counts the nodes', async () => {
    storageClass('standard', '2026-01-01T00:00:00Z');
    for (const name of ['a', 'b']) cluster.put({ ...kinds.node, metadata: { name } });
    expect(await check([planned(['ReadWriteOnce'])])).toEqual([
      'runtime-env-pvc serve one node each, and the cluster has 2',
    ]);
  });
});
