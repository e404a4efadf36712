import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/cluster/objects.js';
import { labPaths } from '../../../src/lab/paths.js';
import type { DaemonRecord } from '../../../src/lab/process/daemon.js';
import { withLabCluster } from '../../../src/lab/up.js';
import { type Checkout, makeCheckout } from '../checkout.js';
import { type Ended, failure, raygate } from '../command.js';

const paths = labPaths();
let checkout: Checkout;

beforeAll(async () => {
  checkout = await makeCheckout();
});
afterAll(() => checkout.remove());

function expectSuccess(ended: Ended): void {
  expect([ended.code, ended.code === 0 ? '' : failure(ended)]).toEqual([0, '']);
}

/** A value of the 72-column view, put together again where it was cut. */
function line(ended: Ended, key: string): string | undefined {
  const whole = new RegExp(`^${key}=(.*)$`, 'm').exec(ended.stdout)?.[1];
  if (whole !== undefined) return whole;
  const parts = [...ended.stdout.matchAll(new RegExp(`^${key}_part_\\d{3}=(.*)$`, 'gm'))].map((match) => match[1]);
  return parts.length > 0 ? parts.join('') : undefined;
}

async function live(kind: { apiVersion: string; kind: string }): Promise<readonly KubeObject[]> {
  return withLabCluster(paths, async (cluster) => {
    const list = await cluster.list(kind, { namespace: 'django-ray' });
    if (list.kind !== 'found') throw new Error(`${kind.kind} could not be listed`);
    return list.value.items;
  });
}

interface EvidencePod {
  readonly name: string;
  readonly uid: string;
}

interface Evidence {
  readonly runId: string;
  readonly identity: {
    readonly ray: { readonly clusterUid: string; readonly pods: readonly EvidencePod[] };
    readonly deployments: readonly {
      readonly name: string;
      readonly uid: string;
      readonly pods: readonly EvidencePod[];
    }[];
  };
}

async function evidence(ended: Ended): Promise<Evidence> {
  const path = /^report: (.*)$/m.exec(ended.stdout)?.[1] ?? 'no report';
  return JSON.parse(await readFile(path, 'utf8')) as Evidence;
}

/** Every identity of the evidence, compared with what the API server holds now. */
async function expectLive(proof: Evidence): Promise<void> {
  const pods = new Map(
    (await live({ apiVersion: 'v1', kind: 'Pod' })).map((pod) => [pod.metadata.name, pod.metadata.uid]),
  );
  const proven = [...proof.identity.ray.pods, ...proof.identity.deployments.flatMap((deployment) => deployment.pods)];
  expect(proven.length).toBeGreaterThanOrEqual(10);
  expect(proven.map((pod) => [pod.name, pod.uid])).toEqual(proven.map((pod) => [pod.name, pods.get(pod.name)]));
  const [rayCluster] = await live({ apiVersion: 'ray.io/v1', kind: 'RayCluster' });
  expect(proof.identity.ray.clusterUid).toBe(rayCluster?.metadata.uid);
}

describe('npm start on the lab', () => {
  let first: Evidence;

  it('on a lab that was reset, makes the credentials and ends with a task that ran on Ray, its identities those of the live cluster', async () => {
    expectSuccess(await raygate(['lab', 'reset'], { folder: checkout.folder }));
    const ended = await raygate(['start'], { folder: checkout.folder });
    expectSuccess(ended);
    expect([
      line(ended, 'task_state'),
      line(ended, 'task_result'),
      line(ended, 'ray_heads'),
      line(ended, 'ray_workers'),
    ]).toEqual(['SUCCEEDED', '5', '1', '4']);
    first = await evidence(ended);
    expect(line(ended, 'ray_cluster_uid')).toBe(first.identity.ray.clusterUid);
    await expectLive(first);
  });

  it('leaves an evidence that anyone can verify, in the checkout that it is of', async () => {
    const ended = await raygate(['evidence', 'verify'], { folder: checkout.folder });
    expectSuccess(ended);
    expect(ended.stdout).toContain('and the SHA-256 of its git archive');
    expect(ended.stdout).toContain(`verified: run ${first.runId} `);
  });

  it('says still proven when nothing changed, and changes nothing', async () => {
    const ended = await raygate(['start'], { folder: checkout.folder });
    expectSuccess(ended);
    expect(ended.stdout).toContain(`still proven by run ${first.runId}`);
    expect(ended.stdout).toMatch(/^pulumi up: no changes, [\d.]+ s$/m);
    await expectLive(first);
  });

  it('holds no token in what it wrote', async () => {
    const token = await withLabCluster(paths, async (cluster) => {
      const secret = await cluster.get({
        apiVersion: 'v1',
        kind: 'Secret',
        namespace: 'django-ray',
        name: 'django-ray-secret',
      });
      if (secret.kind !== 'found') throw new Error('the Secret could not be read');
      return (secret.value['data'] as Record<string, string>)['DJANGO_API_TOKEN'] ?? '';
    });
    const { program } = await import('../command.js');
    for (const form of [token, Buffer.from(token, 'base64').toString()]) {
      const found = await program('grep', [
        '-rlF',
        '--',
        form,
        paths.stacksFolder,
        join(paths.pulumiFolder, 'backend'),
        checkout.folder,
      ]);
      expect(found.stdout).toBe('');
    }
  });
});

/** Kills the API server when a line of progress matches, and brings it back at once, as an operator would. */
async function startWithOutage(at: RegExp): Promise<Ended> {
  let outage: Promise<Ended> | undefined;
  const ended = await raygate(['start'], {
    folder: checkout.folder,
    onLine: (text) => {
      if (outage || !at.test(text)) return;
      outage = (async () => {
        const record = JSON.parse(
          await readFile(join(paths.processFolder, 'kube-apiserver.json'), 'utf8'),
        ) as DaemonRecord;
        process.kill(record.pid, 'SIGKILL');
        return raygate(['lab', 'up']);
      })();
    },
  });
  if (!outage) throw new Error(`no line of progress matched ${at}: ${failure(ended)}`);
  expectSuccess(await outage);
  return ended;
}

describe('npm start, with the API server killed and back', () => {
  const points: readonly [string, RegExp][] = [
    ['while accepted work is drained and images are made', /^drain|^images/],
    ['while the setup Job runs', /^setup/],
    ['while Ray restarts', /^ray: /],
  ];
  it.each(points)('%s, still ends proven', async (_, at) => {
    await checkout.set('attempt', `outage-${at.source.replace(/\W/g, '')}`);
    const ended = await startWithOutage(at);
    expectSuccess(ended);
    expect(line(ended, 'task_state')).toBe('SUCCEEDED');
    await expectLive(await evidence(ended));
  });
});
