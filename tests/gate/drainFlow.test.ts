import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { awaitDrained } from '../../src/gate/flows/drain.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { podObject } from '../builders/objects.js';
import { stepContext } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const token = 'a'.repeat(40);
let cluster: FakeCluster;
let server: Server;
let states: Readonly<Record<string, number>>;
let answerStatus: number;
let webUrl: string;

beforeEach(async () => {
  cluster = fakeCluster();
  states = {};
  answerStatus = 200;
  server = createServer((request, response) => {
    const authorised = request.headers.authorization === `Bearer ${token}`;
    response.statusCode = authorised ? answerStatus : 401;
    if (request.url === '/api/executions/stats') response.end(JSON.stringify({ states }));
    else response.end(JSON.stringify({ tasks: [{ task_id: 'task-1', state: 'RUNNING' }] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  webUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise<void>((done) => server.close(() => done())));

const context = (deadlineSeconds = 0.05, plan: object = {}) =>
  stepContext({
    layer: 'drain',
    stateFolder: '/nowhere',
    cluster,
    deadlineSeconds,
    plan: { webUrl, drain: 'wait', ...plan },
  });

/** Web, a task manager, and the Secret with the token. */
function deploy(): void {
  cluster.put({ ...kinds.deployment, metadata: { name: 'django-web', namespace: 'django-ray' } });
  cluster.put(
    podObject('manager', { labels: { app: 'django-ray', component: 'worker' }, status: { phase: 'Running' } }),
  );
  const data = { DJANGO_API_TOKEN: Buffer.from(token).toString('base64') };
  cluster.put({ ...kinds.secret, metadata: { name: 'django-ray-secret', namespace: 'django-ray' }, data });
}

describe('draining', () => {
  test('of a namespace without a deployment is done at once', async () => {
    expect(await awaitDrained(context())).toMatchObject({ notPresent: ['executions'] });
  });

  test('asks the application for executions, and is done when none is under way', async () => {
    deploy();
    states = { QUEUED: 7, SUCCEEDED: 3 };
    expect(await awaitDrained(context())).toMatchObject({ empty: expect.arrayContaining(['executions']) });
  });

  test('names the execution that it waits for', async () => {
    deploy();
    states = { RUNNING: 1 };
    await expect(awaitDrained(context())).rejects.toMatchObject({
      layer: 'drain',
      code: 'drain.unfinished-work',
      retryable: true,
      message: expect.stringContaining('Execution task-1 (RUNNING)'),
    });
  });

  test('ends when the execution has ended', async () => {
    deploy();
    states = { CANCELLING: 1 };
    setTimeout(() => {
      states = {};
    }, 500);
    await expect(awaitDrained(context(10))).resolves.toMatchObject({ empty: expect.arrayContaining(['executions']) });
  });

  test('fails closed when the application cannot be asked while a manager lives', async () => {
    deploy();
    answerStatus = 503;
    await expect(awaitDrained(context())).rejects.toMatchObject({ code: 'drain.unreadable' });
  });

  test('does not ask the application when no manager lives: nothing is being run', async () => {
    deploy();
    answerStatus = 503;
    cluster.drop({ ...kinds.pod, name: 'manager', namespace: 'django-ray' });
    await expect(awaitDrained(context())).resolves.toMatchObject({ notPresent: ['executions'] });
  });

  test('waits for a Job of the namespace, and not for the setup Job', async () => {
    cluster.put({ ...kinds.job, metadata: { name: 'django-setup', namespace: 'django-ray' }, status: {} });
    await expect(awaitDrained(context())).resolves.toBeDefined();
    cluster.put({ ...kinds.job, metadata: { name: 'nightly', namespace: 'django-ray' }, status: { active: 1 } });
    await expect(awaitDrained(context())).rejects.toMatchObject({
      message: expect.stringContaining('Job/django-ray/nightly (Running)'),
    });
  });

  test('waits for a RayJob', async () => {
    cluster.put({
      ...kinds.rayJob,
      metadata: { name: 'train', namespace: 'django-ray' },
      status: { jobDeploymentStatus: 'Running' },
    });
    await expect(awaitDrained(context())).rejects.toMatchObject({
      message: expect.stringContaining('RayJob/django-ray/train'),
    });
  });

  test('fails at once when a kind may not be read', async () => {
    cluster.failNext('list', new ClusterError({ code: 'forbidden', message: '403', status: 403 }));
    await expect(awaitDrained(context(30))).rejects.toMatchObject({ code: 'drain.unreadable' });
  });

  test('never puts the token into what it says', async () => {
    deploy();
    answerStatus = 500;
    const error: unknown = await awaitDrained(context()).catch((reason: unknown) => reason);
    expect(JSON.stringify(error) + String(error)).not.toContain(token);
  });
});
