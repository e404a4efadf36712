import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runPrometheus } from '../../src/gate/flows/prometheus.js';
import type { ScrapeTarget } from '../../src/gate/model/prometheus.js';
import { rayPodObject, tokenSecret } from '../builders/objects.js';
import { headTarget, sinceMs, target, targetsAnswer, upOf, workerTarget } from '../builders/prometheus.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { provenRay } from '../fakes/provenRay.js';

const token = 'T0KEN-that-must-never-be-logged-0123456789';
let stateFolder: string;
let cluster: FakeCluster;
let server: Server;
let looks: number;
let asked: string[];
/** The targets at each look at them. */
let targetsAt: (look: number) => readonly ScrapeTarget[];
let reloaded: boolean;
let odd: (path: string) => { status: number; body: string } | undefined;

const well = () => [target(), headTarget(), workerTarget('a'), workerTarget('b')];

function answer(path: string): object {
  if (path === '/api/v1/query?query=time()')
    return { status: 'success', data: { resultType: 'scalar', result: [sinceMs / 1000, String(sinceMs / 1000)] } };
  if (path === '/api/v1/status/buildinfo') return { status: 'success', data: { version: '2.53.3' } };
  if (path === '/api/v1/status/runtimeinfo') return { status: 'success', data: { reloadConfigSuccess: reloaded } };
  if (path === '/api/v1/targets?state=active') return targetsAnswer(targetsAt(looks++));
  const result = upOf(well()).map(({ labels, value }) => ({ metric: labels, value: [0, value] }));
  return { status: 'success', data: { resultType: 'vector', result } };
}

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  cluster.put(tokenSecret(token));
  looks = 0;
  asked = [];
  targetsAt = well;
  reloaded = true;
  odd = () => undefined;
  server = createServer((request, response) => {
    asked.push(`${request.headers['user-agent']} ${request.headers.accept} ${request.headers.authorization}`);
    const { status, body } = odd(request.url ?? '') ?? { status: 200, body: JSON.stringify(answer(request.url ?? '')) };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await provenRay(context(), cluster);
});
afterEach(async () => {
  await new Promise<void>((done) => server.close(() => done()));
  await rm(stateFolder, { recursive: true, force: true });
});

function context(seconds = 5) {
  const prometheusUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plan = { prometheusUrl, deadlines: { prometheus: seconds } };
  return stepContext({ layer: 'prometheus', stateFolder, cluster, deadlineSeconds: seconds + 5, plan });
}

describe('asking Prometheus', () => {
  test('keeps its version, the counts and the targets', async () => {
    const facts = await runPrometheus(context());
    expect(facts).toEqual({
      version: '2.53.3',
      sinceMs,
      counts: { 'django-ray': 1, 'ray-head': 1, 'ray-workers': 2 },
      removedPool: 'absent',
      targets: well(),
    });
    expect(new Set(asked)).toEqual(new Set(['raygate application/json undefined']));
  });

  test('waits for a scrape that is newer than its start', async () => {
    targetsAt = (look) => (look === 0 ? well().map((one) => ({ ...one, lastScrapeMs: sinceMs - 1 })) : well());
    await runPrometheus(context());
    expect(looks).toBe(2);
  });

  test('looks once when its deadline is 0, and takes a scrape of the last minute', async () => {
    targetsAt = () => well().map((one) => ({ ...one, lastScrapeMs: sinceMs - 14_000 }));
    expect(await runPrometheus(context(0))).toMatchObject({ sinceMs: sinceMs - 60_000 });
    targetsAt = () => well().slice(1);
    await expect(runPrometheus(context(0))).rejects.toMatchObject({ code: 'prometheus.count', retryable: true });
    expect(looks).toBe(2);
  });

  test('fails at once when the last configuration was refused', async () => {
    reloaded = false;
    await expect(runPrometheus(context(60))).rejects.toMatchObject({ code: 'prometheus.config-reload' });
  });

  test('fails at once when somebody else answers there', async () => {
    odd = () => ({ status: 200, body: '<html>Grafana</html>' });
    await expect(runPrometheus(context(60))).rejects.toMatchObject({ code: 'prometheus.body' });
  });

  test('fails at once with the removed pool', async () => {
    targetsAt = () => [...well(), target({ job: 'django-ray-worker', instance: 'x:1' })];
    await expect(runPrometheus(context(60))).rejects.toMatchObject({ code: 'prometheus.removed-pool' });
  });

  test('waits for a Prometheus that is starting', async () => {
    let times = 0;
    odd = (path) => (path.includes('targets') && times++ === 0 ? { status: 503, body: 'starting' } : undefined);
    expect(await runPrometheus(context())).toMatchObject({ version: '2.53.3' });
  });

  test('ends on its deadline with what is missing, and without the token that an error holds', async () => {
    const lastError = `${'x'.repeat(480)} Bearer ${token}`;
    targetsAt = () => [target({ health: 'down', lastError }), ...well().slice(1)];
    const running = context(1);
    const error: unknown = await runPrometheus(running).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ layer: 'prometheus', code: 'prometheus.unhealthy', retryable: true });
    expect([String(error), ...running.lines].join('\n')).not.toMatch(/T0KEN|never-be/);
  });

  test('fails when Ray is another one by the time that its targets are well', async () => {
    targetsAt = () => {
      cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
      cluster.put(rayPodObject('worker-c', 'worker'));
      return well();
    };
    await expect(runPrometheus(context())).rejects.toMatchObject({ code: 'prometheus.ray-changed' });
  });
});
