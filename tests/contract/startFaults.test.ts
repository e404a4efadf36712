import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { run } from '../../src/host/process.js';
import { fakeDocker } from '../fakes/docker.js';
import { raygate } from '../lab/command.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { pulumiFolder } from './support/pulumiProject.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { startedApiServer } from './support/realKubeconfig.js';

const programs = await pulumiFolder();
const checkout = join(import.meta.dirname, '..', '..');
const secret = { apiVersion: 'v1', kind: 'Secret', name: 'django-ray-secret', namespace: 'django-ray' };

/** `npm start -- --context kind-test` of a clone, on a user's cluster: a real API server that writes down what is asked of it. */
describe.skipIf(programs === undefined)("npm start on a user's cluster with a fault", () => {
  let folder: string;
  let clone: string;
  let server: OwnApiServer;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-start-'));
    clone = join(folder, 'clone');
    (await fakeDocker(join(folder, 'fakes'), { '{{.ServerVersion}}': 'sha256:x' }))();
    await writeFile(join(folder, 'fakes', 'kind'), '#!/bin/sh\n', { mode: 0o755 });
    await run({ file: 'git', argv: ['clone', '-q', checkout, clone], timeoutSeconds: 60 });
    await cp(join(checkout, 'dist'), join(clone, 'dist'), { recursive: true });
    await symlink(join(checkout, 'node_modules'), join(clone, 'node_modules'));
    await writeFile(join(clone, '.git', 'info', 'exclude'), 'node_modules\n');
    // The lab's node ports are on 127.0.0.1: on ::1 nobody answers.
    const own = ['webUrl: http://[::1]:30080', 'dockerHost: unix:///nowhere/docker.sock'];
    const template = await readFile(join(clone, 'stacks', 'kind.yaml'), 'utf8');
    await writeFile(join(clone, 'Pulumi.kind-test.yaml'), template + own.map((line) => `  raygate:${line}\n`).join(''));
    server = await startedApiServer();
    const { kubeconfigPath } = server;
    cluster = await openCluster(await takeSnapshot({ kubeconfigPath, context: 'kind-test', directory: folder }));
    await cluster.waitReachable(deadlineIn(60));
  });
  afterAll(async () => {
    await cluster?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** How it ended: exit code, the lines of its failure, and what it wrote to the cluster. */
  async function start() {
    const before = (await server.writes()).length;
    const state = join(folder, 'state');
    const { code, stdout, stderr } = await raygate(
      ['start', '--context', 'kind-test', '--kubeconfig', server.kubeconfigPath],
      {
        folder: clone,
        env: {
          HOME: join(folder, 'home'),
          PATH: [join(folder, 'fakes'), programs, process.env['PATH']].join(delimiter),
          RAYGATE_CACHE: join(folder, 'cache'),
          RAYGATE_RUN: join(folder, 'run'),
          RAYGATE_STATE: state,
          // Without the provider's plugin an update ends where preflight has passed; no other may be fetched.
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
          NO_COLOR: '1',
        },
      },
    );
    const failures = stderr.split('\n').filter((line) => line.startsWith('FAILED'));
    const writes = (await server.writes()).slice(before);
    return { code, stdout, failures, writes, all: stderr, state: await readdir(state).catch(() => 'none') };
  }

  test('a dirty tree is refused before anything else is done', async () => {
    await writeFile(join(clone, 'app', 'new.py'), '');
    expect(await start()).toMatchObject({
      code: 1,
      stdout: '',
      failures: [
        'FAILED [preflight]: The working tree has uncommitted changes (app/new.py): commit or remove them. (preflight.source.dirty)',
      ],
      writes: [],
      state: 'none',
    });
    await rm(join(clone, 'app', 'new.py'));
  });

  test('without KubeRay nothing is made, the credentials neither', async () => {
    const { code, stdout, failures, writes } = await start();
    expect({ code, stdout, failures, writes }).toEqual({
      code: 1,
      stdout: '',
      failures: [
        expect.stringMatching(
          /^FAILED \[preflight\]: KubeRay is not installed: CRD rayclusters\.ray\.io is missing\. /,
        ),
      ],
      writes: [],
    });
  });

  test('with KubeRay the credentials are made, and preflight passes', async () => {
    await serveRayClusters(cluster);
    const { all, writes } = await start();
    expect(writes).toEqual(['create /api/v1/namespaces', 'create /api/v1/namespaces/django-ray/secrets']);
    expect(all).toContain('credentials: Namespace and Secret created, with random values');
    expect(all).not.toContain('FAILED [preflight]');
    const made = await cluster.get(secret);
    if (made.kind !== 'found') throw new Error('there is no Secret');
    for (const encoded of Object.values(made.value['data'] as Record<string, string>)) {
      const value = Buffer.from(encoded, 'base64').toString('utf8');
      if (value.length >= 24) expect(all.includes(value) || all.includes(encoded)).toBe(false);
    }
  });

  test('a Secret that lost a key is refused and not completed', async () => {
    await cluster.patch(secret, { data: { DJANGO_API_TOKEN: null } }, { type: 'merge', fieldManager: 'somebody' });
    const { code, failures, writes } = await start();
    expect({ code, failures, writes }).toEqual({
      code: 1,
      failures: [
        expect.stringMatching(/^FAILED \[preflight\]: Secret django-ray\/django-ray-secret lacks DJANGO_API_TOKEN: /),
      ],
      writes: [],
    });
  });
});
