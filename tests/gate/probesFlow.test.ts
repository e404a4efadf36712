import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProbes } from '../../src/gate/flows/probes.js';
import { appReading } from '../../src/gate/flows/readings.js';
import { readServiceAnswers } from '../../src/gate/flows/serviceRequests.js';
import { judgeAppConverged } from '../../src/gate/rules/appConverged.js';
import { tokenSecret, webObjects } from '../builders/objects.js';
import { webContract } from '../builders/rollouts.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { provenImages } from '../fakes/provenImages.js';
import { provenRay } from '../fakes/provenRay.js';

const token = 'T0KEN-that-must-never-be-logged-0123456789';
const health = { httpGet: { path: '/api/health', httpHeaders: [{ name: 'Host', value: 'django-ray.localhost' }] } };
const container = { name: 'django-web', image: 'django-ray:tree-1' };
const contract = {
  ...webContract,
  name: 'django-web',
  pod: { ...webContract.pod, containers: [container] },
  template: {
    ...webContract.template,
    spec: { containers: [{ ...container, readinessProbe: health, livenessProbe: health }] },
  },
};

let stateFolder: string;
let cluster: FakeCluster;
let server: Server;
/** What web answers instead; undefined: as it should. */
let odd: (path: string, host: string) => number | undefined;
let execs: string[];

function statusOf(path: string, host: string, authorization: string | undefined): number {
  const changed = odd(path, host);
  if (changed !== undefined) return changed;
  if (!['django-ray.localhost', 'django-web-svc'].includes(host)) return 400;
  if (path === '/api/health') return 200;
  return authorization === `Bearer ${token}` ? 200 : 401;
}

/** Web with its probes; each object under the name of the deployment. */
function deployWeb(probe: object = health): void {
  for (const object of webObjects('django-web', { readinessProbe: probe, livenessProbe: probe })) cluster.put(object);
  const metadata = (name: string) => ({ name, namespace: 'django-ray' });
  const data = { DJANGO_ALLOWED_HOSTS: 'django-ray.localhost,django-web-svc' };
  cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('django-ray-config'), data });
  const selector = { app: 'django-ray', component: 'web' };
  cluster.put({ apiVersion: 'v1', kind: 'Service', metadata: metadata('django-web-svc'), spec: { selector } });
  cluster.put(tokenSecret(token));
}

function context(deadlineSeconds = 5) {
  const webUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stepContext({
    layer: 'probes',
    stateFolder,
    cluster,
    deadlineSeconds,
    plan: { webUrl, deployments: [contract] },
  });
}

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  odd = () => undefined;
  execs = [];
  server = createServer((request, response) => {
    response.statusCode = statusOf(request.url ?? '', request.headers.host ?? '', request.headers.authorization);
    // An application that repeats what it was sent must not bring the token into a message.
    response.end(JSON.stringify({ status: 'ok', echo: request.headers.authorization }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cluster.onExec(({ argv, pod, container }) => {
    execs.push(`${pod}/${container} ${argv.join(' ')}`);
    const asked = JSON.parse(argv.at(-1) ?? '') as [string, string][];
    const answers = asked.map(([path, host]) => ({ status: statusOf(path, host, undefined), body: '{"status":"ok"}' }));
    return JSON.stringify({ schema: 'raygate.requests/1', answers });
  });
  deployWeb();
  await provenRay(context(), cluster);
  await provenImages(context());
  const expected = { contracts: [contract], digests: {} };
  const verdict = judgeAppConverged(appReading(cluster.watch([]).view()), expected);
  if (verdict.kind !== 'ready') throw new Error(verdict.detail);
  await context().run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'app-convergence',
    runId: 'run-1',
    startedAt: '',
    endedAt: '',
    seconds: 0,
    waits: [],
    facts: { deployments: verdict.facts },
  });
});
afterEach(async () => {
  await new Promise<void>((done) => server.close(() => done()));
  await rm(stateFolder, { recursive: true, force: true });
});

describe('probing web', () => {
  test('asks it by node port and Service, and keeps each status', async () => {
    const facts = await runProbes(context());
    expect(facts).toMatchObject({ path: '/api/health', host: 'django-ray.localhost', restarts: 0 });
    expect(facts.requests.map(({ via, status }) => `${via} ${status}`)).toEqual([
      ...[200, 400, 401, 401, 200].map((status) => `node-port ${status}`),
      ...[200, 200, 400, 401].map((status) => `service ${status}`),
    ]);
    expect(facts.pods.map((pod) => pod.name)).toEqual(['django-web-new-1']);
  });

  test('gives the token to no pod, to no line, and to no fact', async () => {
    const running = context();
    const facts = await runProbes(running);
    expect(execs).toHaveLength(1);
    expect(execs[0]).toMatch(/^head-a\/ray-head python -c/);
    expect([...execs, ...running.lines, JSON.stringify(facts)].join('\n')).not.toContain(token);
  });

  test.each<[string, typeof odd, string]>([
    ['redirects', () => 302, 'probes.redirect'],
    ['is open without its token', (path) => (path.endsWith('stats') ? 200 : undefined), 'probes.open'],
    [
      'answers under any name',
      (path, host) => (host.endsWith('.invalid') && path ? 200 : undefined),
      'probes.wrong-host-accepted',
    ],
    ['refuses the name of its Service', (_, host) => (host === 'django-web-svc' ? 400 : undefined), 'probes.health'],
  ])('fails at once when web %s', async (_, change, code) => {
    odd = change;
    await expect(runProbes(context())).rejects.toMatchObject({ layer: 'probes', code, retryable: false });
  });

  test('waits for a web that is away for a moment', async () => {
    let times = 0;
    odd = () => (times++ < 3 ? 503 : undefined);
    expect(await runProbes(context())).toMatchObject({ path: '/api/health' });
  });

  test('waits to its deadline for a Service that does not answer', async () => {
    cluster.onExec(() =>
      JSON.stringify({ schema: 'raygate.requests/1', answers: Array(4).fill({ error: 'timed out' }) }),
    );
    await expect(runProbes(context(0.3))).rejects.toMatchObject({ code: 'probes.no-answer', retryable: true });
  });

  test('waits to its deadline for a pod whose requests end without a report', async () => {
    cluster.onExec(() => ({ exitCode: 137, stdout: '', stderr: 'Killed' }));
    await expect(runProbes(context(0.3))).rejects.toMatchObject({
      code: 'probes.no-report',
      message: expect.stringContaining('the requests from pod head-a ended with 137 and no report'),
    });
  });

  test('fails when the live probe asks another path, before anything is asked', async () => {
    deployWeb({ httpGet: { path: '/' } });
    await expect(runProbes(context())).rejects.toMatchObject({ code: 'probes.probe-path' });
    expect(execs).toEqual([]);
  });

  test("fails when web's pod has restarted since it was proven", async () => {
    const pod = webObjects('django-web', { readinessProbe: health, livenessProbe: health }).at(-1);
    const status = pod?.['status'] as { containerStatuses: object[] };
    const containerStatuses = [{ ...status.containerStatuses[0], restartCount: 1 }];
    cluster.put({ ...pod, status: { ...status, containerStatuses } } as Parameters<FakeCluster['put']>[0]);
    await expect(runProbes(context())).rejects.toMatchObject({
      code: 'probes.web-changed',
      message: 'Since web was proven, a container of pod django-web-new-1 restarted (0 -> 1).',
    });
  });
});

describe('the report of requests from a pod', () => {
  test.each([
    ['no JSON', 'Traceback'],
    ['another schema', '{"schema":"x","answers":[{"status":200}]}'],
    ['fewer answers than requests', '{"schema":"raygate.requests/1","answers":[]}'],
  ])('is none with %s', (_, text) => {
    expect(readServiceAnswers(text, 1)).toBeUndefined();
  });

  test('tells an answer from none', () => {
    const text = '{"schema":"raygate.requests/1","answers":[{"status":401,"body":"b"},{"error":"refused"},{}]}';
    expect(readServiceAnswers(text, 3)).toEqual([
      { kind: 'answer', status: 401, body: 'b' },
      { kind: 'no-answer', reason: 'refused' },
      { kind: 'no-answer', reason: 'no reason given' },
    ]);
  });
});
