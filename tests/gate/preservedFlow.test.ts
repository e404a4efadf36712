import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { runDrain } from '../../src/gate/flows/drain.js';
import type { RunPlan } from '../../src/gate/model/plan.js';
import { digestOf } from '../builders/images.js';
import {
  claimObject,
  controlData,
  namespaceObject,
  postgresContract,
  postgresObjects,
  secretObject,
  systemIdentifier,
} from '../builders/preserved.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { type FakeDockerOptions, fakeDocker } from '../fakes/docker.js';

let stateFolder: string;
let cluster: FakeCluster;
let restorePath: () => void;

const context = (plan: Partial<RunPlan> = {}) =>
  stepContext({ layer: 'drain', stateFolder, cluster, plan: { supporting: [postgresContract], ...plan } });
const look = async (plan: Partial<RunPlan> = {}) => (await runDrain(context(plan))).before;
const docker = async (options: FakeDockerOptions = {}) => {
  restorePath?.();
  restorePath = await fakeDocker(join(stateFolder, 'bin'), {}, options);
};
const image = (ID: string, Repository = '<none>', Tag = '<none>') => ({ ID, Repository, Tag });
const deployPostgres = () => {
  for (const object of [...postgresObjects(), claimObject('postgres-pvc')]) cluster.put(object);
  cluster.answerExec(controlData());
};

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-preserved-'));
  cluster = fakeCluster();
  await docker();
});
afterEach(async () => {
  restorePath();
  await rm(stateFolder, { recursive: true, force: true });
});

describe('what must be preserved, looked at before the first change', { timeout: 30_000 }, () => {
  test('is nothing of ours on a first run', async () => {
    cluster.put(secretObject());
    expect(await look()).toMatchObject({
      claims: [],
      postgres: { kind: 'absent' },
      secret: { uid: 'secret-uid', dataDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      docker: { images: [], volumes: [], anonymousVolumes: 0 },
    });
  });

  test('is looked at whether or not work is waited for', async () => {
    expect(await runDrain(context({ drain: 'skip' }))).toMatchObject({ mode: 'skip', before: { claims: [] } });
  });

  test('are the claims by UID and volume, and the data by what initdb named it', async () => {
    deployPostgres();
    expect(await look()).toMatchObject({
      claims: [{ name: 'postgres-pvc', uid: 'postgres-pvc-uid', volume: 'pv-of-postgres-pvc-uid' }],
      postgres: { kind: 'observed', pod: 'postgres-1', podUid: 'postgres-1-uid', systemIdentifier },
    });
  });

  test('pg_controldata is asked in the one container of the pod, in the C locale', async () => {
    deployPostgres();
    let asked: unknown;
    cluster.answerExec((options) => {
      asked = options;
      return controlData()(options);
    });
    await look();
    expect(asked).toEqual({
      namespace: 'django-ray',
      pod: 'postgres-1',
      container: 'postgres',
      argv: ['env', 'LC_ALL=C', 'pg_controldata'],
      timeoutSeconds: 15,
    });
  });

  const drop = (kind: string, apiVersion: string, name: string) =>
    cluster.drop({ apiVersion, kind, name, namespace: 'django-ray' });
  test.each([
    ['nobody serves them', () => drop('Pod', 'v1', 'postgres-1'), 'no pod of PostgreSQL runs'],
    [
      'the container may not be entered',
      () =>
        cluster.answerExec(() => {
          throw new ClusterError({ code: 'forbidden', message: '403 exec' });
        }),
      '403 exec',
    ],
    [
      'the control file cannot be read',
      () => cluster.answerExec(() => ({ exitCode: 2, stdout: '', stderr: 'Permission denied' })),
      'pg_controldata in postgres-1 ended with 2: Permission denied',
    ],
    [
      'the control file is broken, whatever was said before',
      () => cluster.answerExec(() => ({ ...controlData()({} as never), exitCode: 1, stderr: 'checksum' })),
      'pg_controldata in postgres-1 ended with 1: checksum',
    ],
    [
      'the answer is none',
      () => cluster.answerExec(() => ({ exitCode: 0, stdout: 'hello', stderr: '' })),
      'pg_controldata in postgres-1 ended with 0: hello',
    ],
  ])('data are unreadable, not absent, when %s', async (_, change, reason) => {
    deployPostgres();
    change();
    if (reason === undefined) await expect(look()).rejects.toThrow();
    else expect(await look()).toMatchObject({ postgres: { kind: 'unreadable', reason } });
  });

  test('a claim that is not bound yet holds no data', async () => {
    cluster.put(claimObject('postgres-pvc', 'u', ''));
    expect(await look()).toMatchObject({ claims: [{ volume: '' }], postgres: { kind: 'absent' } });
  });

  test("another application's claim is no data of PostgreSQL", async () => {
    cluster.put(claimObject('runtime-env-pvc'));
    expect(await look()).toMatchObject({ postgres: { kind: 'absent' } });
  });

  test('are other namespaces, but none on its way out', async () => {
    cluster.put(namespaceObject('django-ray'));
    cluster.put(namespaceObject('kube-system'));
    cluster.put(namespaceObject('leaving', 'x', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect((await look()).namespaces).toEqual([{ name: 'kube-system', uid: 'kube-system-uid' }]);
  });

  test("are images that are not ours by all their names, nameless ones, and volumes that are somebody's", async () => {
    await docker({
      images: [
        image(digestOf('3'), 'django-ray', 'tree-0'),
        image(digestOf('2'), 'busybox', '1.36'),
        image(digestOf('2'), 'mirror.local:5000/busybox', 'x'),
        image(digestOf('2'), 'django-ray', 'odd'),
        image(digestOf('1')),
        image(digestOf('4'), 'django-ray-worker', 'tree-0'),
        image(digestOf('5'), 'django-ray-worker-old', '1'),
      ],
      volumes: [
        { Name: 'data', Labels: '' },
        { Name: 'f'.repeat(64), Labels: '' },
        { Name: 'x', Labels: 'com.docker.volume.anonymous=' },
      ],
    });
    expect((await look()).docker).toEqual({
      images: [
        { id: digestOf('1'), names: [] },
        { id: digestOf('2'), names: ['busybox:1.36', 'mirror.local:5000/busybox:x'] },
        { id: digestOf('5'), names: ['django-ray-worker-old:1'] },
      ],
      volumes: ['data'],
      anonymousVolumes: 2,
    });
  });

  test('the same Secret gives the same digest in a run, another Secret another, and no word of it', async () => {
    cluster.put(secretObject({ a: 'c2VjcmV0LXdvcmQ=' }));
    const first = await look();
    await rm(join(stateFolder, 'runs', 'run-1', 'preserved-before.mark.json'));
    expect(await look()).toEqual(first);
    await rm(join(stateFolder, 'runs', 'run-1', 'preserved-before.mark.json'));
    cluster.put(secretObject({ a: 'b3RoZXI=' }));
    expect((await look()).secret?.dataDigest).not.toBe(first.secret?.dataDigest);
    expect(JSON.stringify(first)).not.toContain('c2VjcmV0');
  });

  test('the key of the digests is of one run, and in its folder only', async () => {
    cluster.put(secretObject());
    const seen = await look();
    const { key } = JSON.parse(await readFile(join(stateFolder, 'runs', 'run-1', 'digest-key.mark.json'), 'utf8'));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(seen)).not.toContain(key);
  });

  test('is looked at once a run: a step run again after a kill must not see a later state', async () => {
    deployPostgres();
    const first = await look();
    cluster.put(claimObject('postgres-pvc', 'other'));
    expect(await look()).toEqual(first);
  });

  test.each([
    ['claims', 'list', 'drain.unreadable'],
    ['Docker', 'ls', 'drain.docker-unreadable'],
  ])('%s that cannot be read end the step: unreadable is not absent', async (_, how, code) => {
    if (how === 'ls') await docker({ broken: { ls: 'Cannot connect to the Docker daemon' } });
    else cluster.failNext('list', new ClusterError({ code: 'forbidden', message: '403' }));
    await expect(look()).rejects.toMatchObject({ layer: 'drain', code });
  });

  test('a Docker that lists in a form of its own is not believed', async () => {
    await docker({ images: [{ ID: digestOf('1') }] });
    await expect(look()).rejects.toMatchObject({
      code: 'drain.docker-unreadable',
      message: expect.stringContaining('without the field Repository'),
    });
  });
});
