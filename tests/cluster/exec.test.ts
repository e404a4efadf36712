import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { makePki, type TestPki } from '../builders/kubeconfig.js';
import { type FakeApiServer, fakeApiServer } from '../fakes/apiServer.js';

const stdout = 1;
const stderr = 2;
const status = 3;
const frame = (channel: number, data: string | Buffer) => Buffer.concat([Buffer.of(channel), Buffer.from(data)]);
const success = frame(status, JSON.stringify({ kind: 'Status', status: 'Success' }));
const exit = (code: number) =>
  frame(
    status,
    JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: `command terminated with exit code ${code}`,
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    }),
  );

let pki: TestPki;
let server: FakeApiServer;
let cluster: Cluster;
let asked: string;
let headers: IncomingHttpHeaders;

beforeAll(async () => {
  pki = await makePki();
});
beforeEach(async () => {
  server = await fakeApiServer({ pki });
  cluster = await openCluster(server.snapshot);
});
afterEach(async () => {
  await cluster.close();
  await server.close();
});

function answer(serve: (socket: WebSocket) => void): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered].find((p) => p.startsWith('v')) ?? false,
  });
  server.onUpgrade((request, socket, head) => {
    asked = request.url ?? '';
    headers = request.headers;
    sockets.handleUpgrade(request, socket, head, serve);
  });
}

const run = (timeoutSeconds = 5) =>
  cluster.exec({
    namespace: 'django-ray',
    pod: 'head',
    container: 'ray',
    argv: ['sh', '-c', 'echo "a b" && true'],
    timeoutSeconds,
  });

it('gives what the command printed, in pieces or not, and its end', async () => {
  answer((socket) => {
    const text = Buffer.from('é and ');
    socket.send(frame(stdout, text.subarray(0, 1)));
    socket.send(frame(stdout, text.subarray(1)));
    socket.send(frame(stderr, 'warning\n'));
    socket.send(frame(stdout, 'more\n'));
    socket.send(success);
    socket.close();
  });
  expect(await run()).toEqual({ exitCode: 0, stdout: 'é and more\n', stderr: 'warning\n' });
  const url = new URL(asked, 'https://fake');
  expect(url.pathname).toBe('/api/v1/namespaces/django-ray/pods/head/exec');
  expect(url.searchParams.getAll('command')).toEqual(['sh', '-c', 'echo "a b" && true']);
  expect(url.searchParams.get('container')).toBe('ray');
});

it('says as whom it acts, and who it is', async () => {
  await server.close();
  const actAs = 'system:serviceaccount:django-ray:raygate-deployer';
  server = await fakeApiServer({ pki, user: { token: 'A-token-of-the-user-0123456789' }, actAs });
  cluster = await openCluster(server.snapshot);
  answer((socket) => {
    socket.send(success);
    socket.close();
  });
  await run();
  expect(headers).toMatchObject({
    authorization: 'Bearer A-token-of-the-user-0123456789',
    'impersonate-user': actAs,
  });
});

it('gives the exit code of a command that failed', async () => {
  answer((socket) => {
    socket.send(frame(stderr, 'no such file'));
    socket.send(exit(3));
    socket.close();
  });
  expect(await run()).toEqual({ exitCode: 3, stdout: '', stderr: 'no such file' });
});

const failures: { name: string; serve: (socket: WebSocket) => void; seconds?: number; expected: unknown }[] = [
  {
    name: 'the connection ends before the command does',
    serve: (socket) => {
      socket.send(frame(stdout, 'half'));
      setTimeout(() => socket.terminate(), 20);
    },
    expected: {
      code: 'unreachable',
      retryable: true,
      message: 'exec in django-ray/head/ray: the connection ended before the command did',
    },
  },
  {
    name: 'it is not done in time',
    serve: () => undefined,
    seconds: 0.3,
    expected: { code: 'time-out', retryable: true, message: 'exec in django-ray/head/ray: not done within 0.3 s' },
  },
  {
    name: 'it prints without end',
    serve: (socket) => {
      for (let i = 0; i < 5; i++) socket.send(frame(stdout, Buffer.alloc(1_048_576, 'x')));
    },
    expected: {
      code: 'exec',
      retryable: false,
      message: 'exec in django-ray/head/ray: more than 4194304 bytes of output',
    },
  },
  {
    name: 'its end cannot be read',
    serve: (socket) => socket.send(frame(status, 'not JSON')),
    expected: {
      code: 'exec',
      message: 'exec in django-ray/head/ray: the report of its end cannot be read',
    },
  },
  {
    name: 'the container cannot run it',
    serve: (socket) => {
      socket.send(
        frame(
          status,
          JSON.stringify({ status: 'Failure', reason: 'InternalError', message: 'error executing command' }),
        ),
      );
    },
    expected: { code: 'exec', message: 'exec in django-ray/head/ray: InternalError error executing command' },
  },
];
it.each(failures)('throws when $name', async ({ serve, seconds, expected }) => {
  answer(serve);
  await expect(run(seconds)).rejects.toMatchObject(expected as object);
});

it.each([
  [404, 'not-found', false],
  [403, 'forbidden', false],
  [401, 'unauthorized', false],
  [500, 'server', true],
])('throws when it is refused with %i: %s', async (code, name, retryable) => {
  server.onUpgrade((_, socket) => socket.end(`HTTP/1.1 ${code} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`));
  await expect(run()).rejects.toMatchObject({ code: name, status: code, retryable });
});

it('throws when nothing listens', async () => {
  await server.cut();
  await expect(run()).rejects.toMatchObject({ code: 'unreachable', retryable: true });
});

it('passes over frames that it does not know', async () => {
  answer((socket) => {
    socket.send(Buffer.of(255, stdout));
    socket.send(Buffer.of(255, stderr));
    socket.send(Buffer.of(77, 1));
    socket.send(success);
  });
  expect(await run()).toMatchObject({ exitCode: 0 });
});

it('ends with the cluster', async () => {
  answer(() => undefined);
  const running = run(30);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await cluster.close();
  await expect(running).rejects.toMatchObject({ code: 'unreachable', message: expect.stringMatching(/was closed/) });
});
