import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { type ProgramCheckout, programCheckout } from './support/programCheckout.js';
import { pulumiFolder } from './support/pulumiProject.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { startedApiServer } from './support/realKubeconfig.js';

const programs = await pulumiFolder();
const context = 'kind-test';
const namespace = 'django-ray';
const kind = { apiVersion: 'v1', kind: 'Secret' };
const secret = { name: 'django-ray-secret', namespace };
const options = { fieldManager: 'somebody' };
const token = 'S3CRET-0123456789-0123456789-0123456789';

/** What a user's cluster lacks, said by `pulumi preview` against a real API server, whose audit log says that nothing was written. */
describe.skipIf(programs === undefined)('a preview on a cluster with a fault', () => {
  let checkout: ProgramCheckout;
  let server: OwnApiServer;
  let cluster: Cluster;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-faults-'));
    server = await startedApiServer();
    cluster = await openCluster(
      await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, context, directory: folder }),
    );
    await cluster.waitReachable(deadlineIn(60));
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, options);
    expect(await server.writes()).toEqual(['create /api/v1/namespaces']);
    checkout = await programCheckout(programs as string);
    await checkout.program('kind', '');
    // The lab's node ports are on 127.0.0.1: on ::1 nobody answers but who is put there.
    await checkout.cluster(await readFile(server.kubeconfigPath, 'utf8'), context, { webUrl: 'http://[::1]:30080' });
  });
  afterAll(async () => {
    await checkout?.remove();
    await cluster?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await cluster.remove({ ...kind, ...secret });
  });

  const give = (data: Readonly<Record<string, string>>) => cluster.create({ ...kind, metadata: secret, data }, options);
  const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  /** The one line of a preview that was refused, which wrote nothing and named no secret. */
  async function refusal(...secrets: readonly string[]): Promise<string | undefined> {
    const before = await server.writes();
    const output = await checkout.refusal(secrets);
    expect(await server.writes()).toEqual(before);
    const lines = new Set(output.split('\n').map((line) => line.trim().replace(/^error: /, '')));
    const failures = [...lines].filter((line) => line.startsWith('FAILED'));
    expect(failures).toHaveLength(1);
    return failures[0];
  }

  test('without KubeRay names the CRD and what to install, before it asks for the Secret', async () => {
    expect(await refusal()).toBe(
      'FAILED [preflight]: KubeRay is not installed: CRD rayclusters.ray.io is missing. Install the operator 1.6.2 (its Helm chart kuberay-operator). (preflight.kuberay-missing)',
    );
  });

  describe('with KubeRay', () => {
    beforeAll(async () => {
      await serveRayClusters(cluster);
    });

    test('without the Secret names it, and the command that makes it', async () => {
      expect(await refusal()).toBe(
        'FAILED [preflight]: Secret django-ray/django-ray-secret does not exist: run "raygate credentials". (preflight.secret-absent)',
      );
    });

    test('without the key of the token names the key', async () => {
      await give({ DJANGO_SECRET_KEY: base64(token) });
      expect(await refusal(token, base64(token))).toMatch(
        /^FAILED \[preflight\]: Secret django-ray-secret has no key DJANGO_API_TOKEN: .*openssl rand -hex 32.*\(preflight\.token-missing\)$/,
      );
    });

    const characters = 'A-Za-z0-9\\._~\\+\\/- and at most two = at the end';
    const tokens: readonly [string, string, RegExp][] = [
      ['shorter than 32 characters', 'S3CRET-0123456789', /has 17 characters, not 32 to 512: .*openssl rand -hex 32/],
      ['longer than 512 characters', `S3CRET-${'0'.repeat(600)}`, /has 607 characters, not 32 to 512: .*openssl rand/],
      ['of two lines', `${token}\n${token}`, new RegExp(`characters other than ${characters}: .*openssl rand`)],
      ['with a space', `${token} ${token}`, new RegExp(`characters other than ${characters}: .*openssl rand`)],
    ];
    test.each(tokens)(
      'with a token %s names the key and what to do, never the value',
      async (_name, value, message) => {
        await give({ DJANGO_API_TOKEN: base64(value) });
        const line = await refusal('S3CRET', base64(value));
        expect(line).toMatch(/^FAILED \[preflight\]: .*Secret django-ray-secret, key DJANGO_API_TOKEN/);
        expect(line).toMatch(message);
      },
    );

    test('with a token that is no UTF-8 names the key', async () => {
      const bytes = Buffer.alloc(40, 0xff).toString('base64');
      await give({ DJANGO_API_TOKEN: bytes });
      expect(await refusal(bytes)).toContain('Key DJANGO_API_TOKEN of Secret django-ray-secret is no');
    });

    describe('with all that it needs', () => {
      let stranger: Server | undefined;
      beforeEach(async () => {
        await give({ DJANGO_API_TOKEN: base64(token) });
      });
      afterEach(() => new Promise<void>((done) => (stranger ? stranger.close(() => done()) : done())));

      test('passes, and writes nothing', async () => {
        const before = await server.writes();
        const { output } = await checkout.project.pulumi('preview');
        expect(output).toContain('[preflight] passed: up would start a new run: nothing was proven yet');
        expect(output).not.toContain(token);
        expect(await server.writes()).toEqual(before);
      });

      test('but a port that another process holds names port and Service', async () => {
        stranger = createServer((socket) => socket.end());
        await new Promise<void>((done, failed) => stranger?.once('error', failed).listen(30_080, '::1', done));
        expect(await refusal(token)).toBe(
          'FAILED [preflight]: Something answers on [::1]:30080, and it is not our Service django-web-svc: end it (ss -ltnp "sport = :30080" shows it). (preflight.port-taken)',
        );
      });
    });
  });
});
