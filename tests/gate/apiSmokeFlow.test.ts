import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runApiSmoke } from '../../src/gate/flows/apiSmoke.js';
import { tokenSecret } from '../builders/objects.js';
import { taskRow } from '../builders/smokeTask.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const token = 'T0KEN-that-must-never-be-logged-0123456789';
const queues = ['default', 'high-priority', 'low-priority', 'sync', 'ml'];

let stateFolder: string;
let cluster: FakeCluster;
let server: Server;
let enqueued: Map<string, string>;
let looks: number;
/** What the row of a queue's task says, beside its id and queue; by default that it succeeded. */
let rowOf: (queue: string) => object;
let statusOf: (path: string) => number | undefined;
/** Requests that are carried out, and whose answer is lost. */
let cut: (path: string) => boolean;

function answer(method: string, path: string, authorised: boolean): { status: number; body: unknown } {
  const odd = statusOf(path);
  if (odd !== undefined) return { status: odd, body: {} };
  if (!authorised) return { status: 401, body: {} };
  const url = new URL(path, 'http://x');
  if (method === 'POST') {
    const queue = url.searchParams.get('queue') ?? 'default';
    const task_id = randomUUID();
    enqueued.set(task_id, queue);
    return { status: 200, body: { task_id, queue } };
  }
  if (url.pathname === '/api/executions/stats') {
    const workers = queues.map((queue) => ({ worker_id: `lease-${queue}`, hostname: 'manager-1', queues: [queue] }));
    return { status: 200, body: { workers } };
  }
  const task_id = url.searchParams.get('task_id') ?? '';
  const queue = enqueued.get(task_id);
  if (queue === undefined) return { status: 200, body: { tasks: [] } };
  looks++;
  const row = taskRow({ task_id, queue, worker: `lease-${queue}`, ...rowOf(queue) });
  return { status: 200, body: { tasks: [row] } };
}

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster();
  cluster.put(tokenSecret(token));
  enqueued = new Map();
  looks = 0;
  rowOf = () => ({});
  statusOf = () => undefined;
  cut = () => false;
  server = createServer((request, response) => {
    const authorised = request.headers.authorization === `Bearer ${token}`;
    const { status, body } = answer(request.method ?? '', request.url ?? '', authorised);
    if (cut(request.url ?? '')) request.socket.destroy();
    else response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const pod = { name: 'manager-1', uid: 'm', owner: '', initContainers: [], containers: [], restarts: 0 };
  const manager = { uid: 'd', generation: 1, readyReplicas: 1, replicaSet: { name: 'r', uid: 'r' }, pods: [pod] };
  await context().run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'app-convergence',
    runId: 'run-1',
    startedAt: '',
    endedAt: '',
    seconds: 0,
    waits: [],
    facts: { deployments: [{ ...manager, name: 'django-ray-worker' }] },
  });
});
afterEach(async () => {
  await new Promise<void>((done) => server.close(() => done()));
  await rm(stateFolder, { recursive: true, force: true });
});

function context(deadlineSeconds = 5) {
  const webUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stepContext({ layer: 'api-smoke', stateFolder, cluster, deadlineSeconds, plan: { webUrl } });
}

describe('the smoke test', () => {
  test('sends one task through each queue, and tells who ran it', async () => {
    const facts = await runApiSmoke(context());
    expect(facts.tasks.map(({ queue, result, pod }) => `${queue} ${result} ${pod}`)).toEqual(
      queues.map((queue) => `${queue} 5 manager-1`),
    );
    expect([...enqueued.values()].sort()).toEqual([...queues].sort());
    expect(facts.unauthenticated.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(facts.authenticated.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.stringify(facts)).not.toContain(token);
  });

  test('does not look again at a task that has ended', async () => {
    let ml = 0;
    rowOf = (queue) => (queue === 'ml' && ml++ === 0 ? { state: 'RUNNING' } : {});
    await runApiSmoke(context());
    expect(looks).toBe(queues.length + 1);
  });

  test("fails at once with the failed task's own error, redacted", async () => {
    rowOf = (queue) => {
      if (queue === 'ml') return { state: 'FAILED', error: `ModuleNotFoundError: no torch; ${token}` };
      return queue === 'sync' ? { state: 'RUNNING' } : {};
    };
    await expect(runApiSmoke(context(60))).rejects.toMatchObject({
      code: 'api-smoke.task-failed',
      message: expect.stringMatching(/of queue ml ended FAILED: ModuleNotFoundError: no torch; \[REDACTED\]\.$/),
    });
  });

  test('fails at once with a wrong result', async () => {
    rowOf = (queue) => (queue === 'low-priority' ? { result_data: '6' } : {});
    await expect(runApiSmoke(context(60))).rejects.toMatchObject({
      code: 'api-smoke.task-result',
      message: expect.stringContaining('of queue low-priority succeeded with "6", not 5'),
    });
  });

  test('fails on its deadline with the tasks that never ended', async () => {
    rowOf = (queue) => (queue === 'sync' ? { state: 'QUEUED' } : {});
    await expect(runApiSmoke(context(0.5))).rejects.toMatchObject({
      code: 'api-smoke.task-running',
      retryable: true,
      message: expect.stringMatching(/still waiting: task [0-9a-f-]+ of queue sync is QUEUED$/),
    });
  });

  test('outlasts an application that answers 503 for a moment', async () => {
    let times = 0;
    statusOf = (path) => (path.includes('task_id') && times++ === 0 ? 503 : undefined);
    expect((await runApiSmoke(context())).tasks).toHaveLength(5);
  });

  test.each([
    ['is open without a token', (path: string) => (path.includes('metrics') ? 200 : undefined), 'api-smoke.open'],
    ['redirects', () => 302, 'api-smoke.open'],
    [
      'knows no such queue',
      (path: string) => (path.includes('queue=ml') ? 400 : undefined),
      'api-smoke.enqueue-status',
    ],
  ])('fails when the API %s', async (_, odd, code) => {
    statusOf = odd;
    await expect(runApiSmoke(context())).rejects.toMatchObject({ layer: 'api-smoke', code });
  });

  test('enqueues nothing twice when an enqueue is not answered', async () => {
    cut = (path) => path.includes('queue=sync');
    await expect(runApiSmoke(context())).rejects.toMatchObject({ code: 'api-smoke.no-answer' });
    expect([...enqueued.values()].filter((queue) => queue === 'sync')).toHaveLength(1);
  });
});
