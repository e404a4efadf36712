import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/cluster/objects.js';
import { runFinalIdentity } from '../../src/gate/flows/finalIdentity.js';
import { digestOf } from '../builders/images.js';
import { rayClusterObject, rayPodObject, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { claimObject, controlData, namespaceObject, secretObject, systemIdentifier } from '../builders/preserved.js';
import { otherImage, type ProvenRun, provenRun } from '../builders/provenRun.js';
import { appReference } from '../builders/step.js';

let folder: string;
let made: ProvenRun;
const legacyReference = 'django-ray-worker:tree-1';
const kept = { 'busybox:1.36': otherImage };
const all = { ...kept, [appReference]: digestA, [legacyReference]: digestB };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-final-'));
  made = await provenRun(folder);
}, 30_000);
afterEach(async () => {
  made.restorePath();
  await rm(folder, { recursive: true, force: true });
});

const final = (seconds?: number) => runFinalIdentity(made.context('final-identity', seconds));
const isVoid = async () => (await made.context('evidence').run.readMark('void')) !== undefined;
const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', name, namespace: 'django-ray' });
const web = (name: string): KubeObject => {
  const found = webObjects().find((object) => object.metadata.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
/** The pod with its first container's status changed. */
const withStatus = (object: KubeObject, change: object): KubeObject => {
  const status = object['status'] as { containerStatuses: object[] };
  return { ...object, status: { ...status, containerStatuses: [{ ...status.containerStatuses[0], ...change }] } };
};
const withMetadata = (object: KubeObject, change: object): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...change },
});

describe('the final look', { timeout: 30_000 }, () => {
  test('passes when everything is what each layer pinned, and says what it compared', async () => {
    const facts = await final();
    expect(facts.compared).toEqual([
      'preflight',
      'images',
      'drain',
      'setup',
      'workloads',
      'ray',
      'app-convergence',
      'image-identity',
    ]);
    expect(facts.identity.ray).toMatchObject({ clusterUid: 'cluster-uid', heads: 1, workers: 2 });
    expect(facts.pins.map((pin) => pin.subject).sort()).toEqual([
      'Deployment postgres',
      'Deployment web',
      `Docker image ${otherImage}`,
      'Docker volume data',
      'Job django-setup',
      'Namespace kube-system',
      'Namespace other',
      'PersistentVolumeClaim postgres-pvc',
      'PostgreSQL',
      'RayCluster ray',
      'ReplicaSet postgres-set',
      'ReplicaSet web-new',
      'Secret django-ray-secret',
      `image ${legacyReference}`,
      `image ${appReference}`,
      'kubeconfig',
      'pod django-setup-1',
      'pod head-a',
      'pod postgres-1',
      'pod web-new-1',
      'pod worker-a',
      'pod worker-b',
      'source',
    ]);
    expect(await isVoid()).toBe(false);
  });

  const rows: readonly [string, () => unknown, string][] = [
    [
      'a container restarted, Ready again or not',
      () => made.cluster.put(withStatus(rayPodObject('head-a', 'head'), { restartCount: 1, ready: false })),
      'pod head-a: restarts 0 -> 1 (pinned by ray)',
    ],
    [
      'a Ray pod was replaced',
      () => {
        made.cluster.drop(pod('worker-b'));
        made.cluster.put(rayPodObject('worker-c', 'worker'));
      },
      'pod worker-b: gone (pinned by ray)',
    ],
    [
      'a pod was replaced under its name',
      () => made.cluster.put(withMetadata(web('web-new-1'), { uid: 'other' })),
      'pod web-new-1: uid web-new-1-uid -> other (pinned by app-convergence)',
    ],
    [
      'a pod changed hands',
      () =>
        made.cluster.put(
          withMetadata(web('web-new-1'), {
            ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true }],
          }),
        ),
      'pod web-new-1: owner ReplicaSet web-new (web-new-uid) -> StatefulSet s (u)',
    ],
    [
      'a pod runs another image',
      () => made.cluster.put(withStatus(web('web-new-1'), { imageID: digestB })),
      `pod web-new-1: image of web ${digestA} -> ${digestB}`,
    ],
    [
      'a pod is being deleted',
      () => made.cluster.put(withMetadata(web('web-new-1'), { deletionTimestamp: '2026-01-01T00:00:00Z' })),
      'pod web-new-1: being deleted no -> yes',
    ],
    [
      'a Deployment was replaced',
      () => made.cluster.put(withMetadata(web('web'), { uid: 'other' })),
      'Deployment web: uid web-uid -> other (pinned by app-convergence)',
    ],
    [
      'a Deployment was changed and changed back',
      () => made.cluster.put(withMetadata(web('web'), { generation: 3 })),
      'Deployment web: generation 1 -> 3',
    ],
    [
      'a ReplicaSet was replaced',
      () => made.cluster.put(withMetadata(web('web-new'), { uid: 'other' })),
      'ReplicaSet web-new: uid web-new-uid -> other',
    ],
    [
      'the RayCluster was replaced',
      () => made.cluster.put(withMetadata(rayClusterObject(), { uid: 'other' })),
      'RayCluster ray: uid cluster-uid -> other (pinned by workloads)',
    ],
    [
      'the setup Job is gone',
      () => made.cluster.drop({ apiVersion: 'batch/v1', kind: 'Job', name: 'django-setup', namespace: 'django-ray' }),
      'Job django-setup: gone (pinned by setup)',
    ],
    ['the pod of setup is gone', () => made.cluster.drop(pod('django-setup-1')), 'pod django-setup-1: gone'],
    ['HEAD moved', () => made.git('commit', '-q', '--allow-empty', '-m', 'y'), 'source: commit '],
    ['the tree is dirty', () => writeFile(join(folder, 'repository', 'new'), ''), 'source: state clean -> '],
    [
      'an image was tagged anew',
      () => made.tag({ ...kept, [appReference]: digestB, [legacyReference]: digestB }),
      `image ${appReference}: id ${digestA} -> ${digestB} (pinned by images)`,
    ],
    [
      'an image is gone',
      () => made.tag({ ...kept, [appReference]: digestA }),
      `image ${legacyReference}: id ${digestB} -> nothing`,
    ],
    [
      'the kubeconfig was swapped',
      () => writeFile(join(folder, 'state', 'kubeconfig.json'), '{}'),
      'kubeconfig: sha256 ',
    ],
    [
      'the kubeconfig is open to others',
      () => chmod(join(folder, 'state', 'kubeconfig.json'), 0o644),
      'kubeconfig: sha256 ',
    ],
  ];
  const lost: typeof rows = [
    [
      'a claim was replaced',
      () => made.cluster.put(claimObject('postgres-pvc', 'other')),
      'PersistentVolumeClaim postgres-pvc: uid postgres-pvc-uid -> other (pinned by drain)',
    ],
    [
      'a claim is bound to another volume',
      () => made.cluster.put(claimObject('postgres-pvc', 'postgres-pvc-uid', 'pv-2')),
      'PersistentVolumeClaim postgres-pvc: volume pv-of-postgres-pvc-uid -> pv-2',
    ],
    [
      'the data are of another initdb',
      () => made.cluster.answerExec(controlData('7000000000000000001')),
      `PostgreSQL: system identifier ${systemIdentifier} -> 7000000000000000001 (pinned by drain)`,
    ],
    [
      'the Secret was changed',
      () => made.cluster.put(secretObject({ DJANGO_API_TOKEN: 'b3RoZXI=' })),
      'Secret django-ray-secret: data digest ',
    ],
    [
      'an unrelated namespace is gone',
      () => made.cluster.drop({ apiVersion: 'v1', kind: 'Namespace', name: 'other' }),
      'Namespace other: gone (pinned by drain)',
    ],
    [
      'an unrelated namespace was replaced',
      () => made.cluster.put(namespaceObject('other', 'x')),
      'Namespace other: uid other-uid -> x',
    ],
    [
      "somebody else's image is gone",
      () => made.tag({ [appReference]: digestA, [legacyReference]: digestB }),
      `Docker image ${otherImage} (busybox:1.36): gone (pinned by drain)`,
    ],
    ["somebody else's volume is gone", () => made.tag(all, { volumes: [] }), 'Docker volume data: gone'],
  ];

  test.each([...rows, ...lost])('fails at once when %s, says what, and voids the run', async (_, change, says) => {
    await change();
    await expect(final()).rejects.toMatchObject({
      layer: 'final-identity',
      code: 'final-identity.changed',
      retryable: false,
      message: expect.stringContaining(`Since it was proven: ${says}`),
    });
    expect(await isVoid()).toBe(true);
  });

  test('fails when there is more than was proven, by the rule that says so', async () => {
    made.cluster.put(rayPodObject('worker-c', 'worker'));
    await expect(final()).rejects.toMatchObject({ code: 'ray.surplus' });
    expect(await isVoid()).toBe(true);
  });

  test('waits for a pod that is merely unready, and voids nothing when it stays so', async () => {
    const head = rayPodObject('head-a', 'head');
    made.cluster.put({ ...head, status: { ...(head['status'] as object), conditions: [] } });
    await expect(final(0.2)).rejects.toMatchObject({ retryable: true });
    expect(await isVoid()).toBe(false);
    setTimeout(() => made.cluster.put(head), 100);
    await expect(final()).resolves.toBeDefined();
  });

  test("somebody else's image that lost its name to a newer one is still there", async () => {
    const images = [
      { ID: otherImage, Repository: '<none>', Tag: '<none>' },
      { ID: digestB, Repository: 'busybox', Tag: '1.36' },
    ];
    await made.tag(all, { images });
    await expect(final()).resolves.toMatchObject({ after: { docker: { images: expect.any(Array) } } });
  });

  test('more namespaces, images, volumes and claims than before are no loss', async () => {
    made.cluster.put(namespaceObject('new'));
    made.cluster.put(claimObject('new'));
    await made.tag(
      { ...all, 'new:1': digestOf('6') },
      { volumes: ['data', 'new'].map((Name) => ({ Name, Labels: '' })) },
    );
    await expect(final()).resolves.toBeDefined();
  });

  test('a PostgreSQL that was readable before is waited for until it is again', async () => {
    made.cluster.answerExec(() => ({ exitCode: 1, stdout: '', stderr: 'starting' }));
    await expect(final(0.2)).rejects.toMatchObject({
      code: 'final-identity.postgres-unreadable',
      retryable: true,
      message: expect.stringContaining('pg_controldata in postgres-1 ended with 1: starting'),
    });
    expect(await isVoid()).toBe(false);
  });

  test('one that was not readable before is looked at once', async () => {
    const seen = await made.context('drain').run.readObservation('drain');
    if (seen === undefined) throw new Error('no observation');
    const before = { ...seen.facts.before, postgres: { kind: 'unreadable', reason: 'x' } as const };
    await made.observe('drain', { ...seen.facts, before });
    made.cluster.answerExec(() => ({ exitCode: 1, stdout: '', stderr: 'starting' }));
    await expect(final()).resolves.toMatchObject({ after: { postgres: { kind: 'unreadable' } } });
  });

  test('a Docker that cannot list voids nothing', async () => {
    await made.tag(all, { broken: { ls: 'Cannot connect to the Docker daemon' } });
    await expect(final()).rejects.toMatchObject({ code: 'final-identity.docker-unreadable', retryable: true });
    expect(await isVoid()).toBe(false);
  });

  test('a Docker that does not answer voids nothing', async () => {
    await made.tag(
      { ...kept, [appReference]: digestA },
      { broken: { [legacyReference]: 'Cannot connect to the Docker daemon' } },
    );
    await expect(final()).rejects.toMatchObject({ code: 'final-identity.docker-unreadable', retryable: true });
    expect(await isVoid()).toBe(false);
  });
});
