import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecOptions } from '../../src/cluster/cluster.js';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { runRuntimeEnv } from '../../src/gate/flows/runtimeEnv.js';
import { rayPodObject } from '../builders/objects.js';
import { archive, nodeOutput } from '../builders/runtimeEnv.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { provenRay } from '../fakes/provenRay.js';

let stateFolder: string;
let cluster: FakeCluster;
let asked: ExecOptions[];

const context = (fields: Partial<Parameters<typeof stepContext>[0]> = {}) =>
  stepContext({ layer: 'runtime-env', stateFolder, cluster, ...fields });

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  await provenRay(context(), cluster);
  await context().run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'setup',
    runId: 'run-1',
    startedAt: '',
    endedAt: '',
    waits: [],
    seconds: 0,
    facts: {
      jobUid: 'job',
      pod: { name: 'setup', uid: 's', owner: '', initContainers: [], containers: [], restarts: 0 },
      result: { archive, sourceTree: '1'.repeat(40) },
    },
  });
  asked = [];
  cluster.onExec((options) => {
    asked.push(options);
    return nodeOutput();
  });
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

describe('reading the archive on the Ray nodes', () => {
  test("asks the interpreter of each of Ray's containers, and says what it said", async () => {
    const facts = await runRuntimeEnv(context());
    expect(asked.map(({ pod, container }) => `${pod}/${container}`).sort()).toEqual([
      'head-a/ray-head',
      'worker-a/ray-worker',
      'worker-b/ray-worker',
    ]);
    expect(asked[0]?.argv.slice(3)).toEqual([archive.path, archive.sha256, 'src/django_ray/runtime/remote.py']);
    expect(facts).toMatchObject({ archive, bareDjangoRay: 'absent' });
    expect(facts.nodes.map((node) => node.uid)).toEqual(['head-a-uid', 'worker-a-uid', 'worker-b-uid']);
  });

  test('fails with the name of the one worker whose archive differs', async () => {
    cluster.onExec(({ pod }) => nodeOutput(pod === 'worker-b' ? { sha256: 'd'.repeat(64) } : {}));
    await expect(runRuntimeEnv(context())).rejects.toMatchObject({
      layer: 'runtime-env',
      code: 'runtime-env.archive-differs',
      message: expect.stringContaining('Pod worker-b'),
    });
  });

  test('asks again when the API server was away', async () => {
    cluster.failNext('exec', new ClusterError({ code: 'unreachable', message: 'refused', retryable: true }));
    expect(await runRuntimeEnv(context())).toMatchObject({ bareDjangoRay: 'absent' });
  });

  test('fails at once when a command may not be run', async () => {
    cluster.failNext('exec', new ClusterError({ code: 'forbidden', message: '403' }));
    await expect(runRuntimeEnv(context())).rejects.toMatchObject({ code: 'runtime-env.forbidden' });
  });

  const replace = () => {
    cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
    cluster.put(rayPodObject('worker-c', 'worker'));
  };
  const whileAsked = () =>
    cluster.onExec(() => {
      replace();
      return nodeOutput();
    });

  test.each([
    ['before', replace],
    ['while', whileAsked],
  ])('fails when a Ray pod was replaced %s it was asked', async (_, change) => {
    change();
    await expect(runRuntimeEnv(context())).rejects.toMatchObject({
      layer: 'runtime-env',
      code: 'runtime-env.ray-changed',
      message: expect.stringContaining('pod worker-b (worker-b-uid) is gone'),
    });
  });

  test('keeps a secret that a container prints out of its error', async () => {
    const secret = 'S3CRET-of-nobody-0123456789';
    const running = context();
    running.redactor.register(secret);
    cluster.onExec(() => ({ exitCode: 1, stdout: '', stderr: `boom ${secret}` }));
    await expect(runRuntimeEnv(running)).rejects.toMatchObject({
      message: expect.stringMatching(/^(?!.*S3CRET).*\[REDACTED\]/),
    });
  });
});
