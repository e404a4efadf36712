import { beforeEach, describe, expect, it } from 'vitest';
import { ensureCredentials } from '../../src/cli/credentials.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { ClusterError } from '../../src/cluster/clusterError.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { failureLine } from '../../src/core/failureLine.js';
import { unreadable } from '../../src/core/outcome.js';
import { judgeToken } from '../../src/gate/rules/token.js';
import { ownershipLabels } from '../../src/infra/constructs/objectMeta.js';
import { secretKeys } from '../../src/infra/secretKeys.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const namespaceRef = { apiVersion: 'v1', kind: 'Namespace', name: 'django-ray' };
const secretRef = { apiVersion: 'v1', kind: 'Secret', name: 'django-ray-secret', namespace: 'django-ray' };

const aNamespace = (metadata: Readonly<Record<string, unknown>> = { labels: ownershipLabels }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'django-ray', ...metadata },
});
/** With every key of a whole one, but for `changes`. */
const aSecret = (changes: Readonly<Record<string, string | undefined>> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'django-ray-secret', namespace: 'django-ray' },
  data: { ...Object.fromEntries(Object.keys(secretKeys).map((key) => [key, 'UzNDUkVU'])), ...changes },
});
const terminating = { labels: ownershipLabels, deletionTimestamp: '2026-01-01T00:00:00Z' };

let cluster: FakeCluster;
beforeEach(() => {
  cluster = fakeCluster();
});

const lineOf = (of: Cluster) => ensureCredentials(of).then(() => 'no failure', failureLine);
async function values(of: FakeCluster = cluster): Promise<Readonly<Record<string, string>>> {
  const secret = await of.get(secretRef);
  if (secret.kind !== 'found') throw new Error('there is no Secret');
  return secret.value['stringData'] as Readonly<Record<string, string>>;
}

describe('credentials that are wholly absent', () => {
  const both = ['create v1/Namespace/django-ray', 'create v1/Secret/django-ray/django-ray-secret'];

  it('are made, Namespace and Secret, under our labels', async () => {
    expect([await ensureCredentials(cluster), cluster.mutations]).toEqual(['created', both]);
    for (const ref of [namespaceRef, secretRef]) {
      expect(await cluster.get(ref)).toMatchObject({ kind: 'found', value: { metadata: { labels: ownershipLabels } } });
    }
  });

  it('have every key, a token that the gate takes, and the same user and password for both ends of the database', async () => {
    await ensureCredentials(cluster);
    const made = await values();
    expect(Object.keys(made).sort()).toEqual(Object.keys(secretKeys).sort());
    expect(judgeToken(made['DJANGO_API_TOKEN'] ?? '')).toEqual({ kind: 'ready', facts: { characters: 48 } });
    expect([made['POSTGRES_USER'], made['POSTGRES_PASSWORD']]).toEqual([
      made['DATABASE_USER'],
      made['DATABASE_PASSWORD'],
    ]);
  });

  it('are other ones each time, of the promised length and alphabet', async () => {
    const other = fakeCluster();
    await Promise.all([ensureCredentials(cluster), ensureCredentials(other)]);
    const [made, madeThere] = [await values(), await values(other)];
    for (const [key, value] of Object.entries(secretKeys)) {
      if (value.kind !== 'random') continue;
      expect([key, made[key]?.length, /^[A-Za-z0-9_-]+$/.test(made[key] ?? '')]).toEqual([key, value.characters, true]);
      expect(made[key]).not.toBe(madeThere[key]);
    }
  });

  it('are completed in a namespace of ours, as a command that was killed between the two leaves it', async () => {
    cluster.put(aNamespace());
    expect([await ensureCredentials(cluster), cluster.mutations]).toEqual(['created', both.slice(1)]);
  });

  it('that the API server refuses are named in one line, without a value', async () => {
    cluster.put(aNamespace());
    cluster.failNext('create', new ClusterError({ code: 'forbidden', message: 'secrets is forbidden', status: 403 }));
    expect(await lineOf(cluster)).toBe(
      'FAILED [preflight]: v1/Secret/django-ray/django-ray-secret could not be made: secrets is forbidden (credentials.forbidden)',
    );
  });
});

it('a whole Secret is left as it is, whoever made the namespace', async () => {
  cluster.put(aNamespace({}));
  cluster.put(aSecret());
  expect([await ensureCredentials(cluster), cluster.mutations]).toEqual(['present', []]);
});

const notComplete =
  'complete it by hand, or delete the namespace if nobody needs it, then run raygate credentials again (credentials.partial)';
const refusals: readonly [string, readonly KubeObject[], string][] = [
  [
    'a Secret that lacks keys',
    [aNamespace(), aSecret({ DJANGO_API_TOKEN: undefined, POSTGRES_DB: undefined })],
    `Secret django-ray/django-ray-secret lacks DJANGO_API_TOKEN, POSTGRES_DB: ${notComplete}`,
  ],
  [
    'a Secret with an empty value',
    [aNamespace(), aSecret({ DJANGO_API_TOKEN: '' })],
    `Secret django-ray/django-ray-secret lacks DJANGO_API_TOKEN: ${notComplete}`,
  ],
  [
    'a Secret without data',
    [aNamespace(), { ...aSecret(), data: undefined }],
    `Secret django-ray/django-ray-secret lacks ${Object.keys(secretKeys).join(', ')}: ${notComplete}`,
  ],
  [
    "somebody else's namespace",
    [aNamespace({ labels: { 'app.kubernetes.io/managed-by': 'somebody' } })],
    `Namespace django-ray is there without the label app.kubernetes.io/managed-by=raygate and without the Secret: ${notComplete}`,
  ],
  [
    'a namespace that is on its way out',
    [aNamespace(terminating)],
    'Namespace django-ray is terminating since 2026-01-01T00:00:00Z: wait until it is gone, then try again (credentials.namespace-terminating)',
  ],
  [
    'a namespace that is on its way out, its Secret still there',
    [aNamespace(terminating), aSecret()],
    'Namespace django-ray is terminating since 2026-01-01T00:00:00Z: wait until it is gone, then try again (credentials.namespace-terminating)',
  ],
];

describe('credentials are refused in one line, and nothing is changed, for', () => {
  it.each(refusals)('%s', async (_name, objects, message) => {
    for (const object of objects) cluster.put(object);
    expect([await lineOf(cluster), cluster.mutations]).toEqual([`FAILED [preflight]: ${message}`, []]);
  });

  it.each([namespaceRef, secretRef])('a $kind that cannot be read', async ({ kind }) => {
    const cut: Cluster = {
      ...cluster,
      get: async (ref) => (ref.kind === kind ? unreadable('503 from the server', true) : cluster.get(ref)),
    };
    expect([await lineOf(cut), cluster.mutations]).toEqual([
      expect.stringMatching(
        `^FAILED \\[preflight\\]: ${kind} [a-z/-]+ could not be read: 503 from the server \\(credentials.unreadable\\)$`,
      ),
      [],
    ]);
  });
});
