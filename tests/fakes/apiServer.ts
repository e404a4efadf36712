import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { stringify } from 'yaml';
import type { KubeconfigSnapshot } from '../../src/cluster/snapshot.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { aKubeconfig, type KubeconfigFields, makePki, type TestPki } from '../builders/kubeconfig.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => unknown;

/**
 * An API server in this process that answers what a test tells it to, over real TLS on loopback, so that faults which a real
 * one shows rarely can be had at will. It serves discovery of ConfigMaps (v1) and Deployments (apps/v1), and `/readyz`; all
 * else is the test's.
 */
export interface FakeApiServer {
  readonly snapshot: KubeconfigSnapshot;
  readonly seen: readonly SeenRequest[];
  /** Connections that were made so far. */
  connections(): number;
  /** Answers each request that discovery and readiness do not. */
  answer(handler: Handler): void;
  /** Takes precedence over everything. */
  override(path: string, handler: Handler | undefined): void;
  /** Answers a request for a WebSocket. */
  onUpgrade(handler: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  /** Cuts every connection, and refuses new ones until `listen`. */
  cut(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface FakeOptions {
  readonly pki?: TestPki;
  readonly user?: KubeconfigFields['user'];
  readonly requestCert?: boolean;
  /** Whom the snapshot acts as. Default: its user. */
  readonly actAs?: string;
}

export async function fakeApiServer(options: FakeOptions = {}): Promise<FakeApiServer> {
  const pki = options.pki ?? (await makePki());
  const folder = await mkdtemp(join(tmpdir(), 'raygate-fake-'));
  const seen: SeenRequest[] = [];
  const overrides = new Map<string, Handler>(Object.entries(discoveryDocuments));
  let handler: Handler = (_, response) => sendStatus(response, 404, 'NotFound', 'not found');
  let upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void = (_, socket) => socket.destroy();
  const upgraded = new Set<Duplex>();
  let connections = 0;
  let port = 0;
  let server: Server;

  const listen = async () => {
    server = createServer(
      {
        cert: pki.server.certificate,
        key: pki.server.key,
        ca: pki.authority.certificate,
        requestCert: options.requestCert ?? true,
        rejectUnauthorized: false,
      },
      (request, response) => void serve(request, response),
    );
    server.on('secureConnection', () => connections++);
    server.on('upgrade', (request, socket, head) => {
      upgraded.add(socket);
      upgrade(request, socket, head);
    });
    server.keepAliveTimeout = 60_000;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'https://fake');
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body,
    };
    seen.push(request);
    await (overrides.get(url.pathname) ?? handler)(request, response);
  };
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
    await closed;
  };

  await listen();
  const kubeconfigPath = join(folder, 'config');
  await writeFile(
    kubeconfigPath,
    stringify(aKubeconfig(pki, { server: `https://127.0.0.1:${port}`, ...(options.user && { user: options.user }) })),
  );
  return {
    snapshot: await takeSnapshot({ kubeconfigPath, directory: folder, actAs: options.actAs }),
    seen,
    connections: () => connections,
    answer(next) {
      handler = next;
    },
    override(path, next) {
      if (next) overrides.set(path, next);
      else overrides.delete(path);
    },
    onUpgrade(next) {
      upgrade = next;
    },
    cut,
    listen,
    async close() {
      if (server.listening) await cut();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function sendStatus(response: ServerResponse, status: number, reason: string, message: string): void {
  sendJson(response, status, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status });
}

/** The head of a list, or a page of one. */
export function aList(items: readonly unknown[], metadata: Record<string, unknown> = {}): unknown {
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '100', ...metadata }, items };
}

const resources = (groupVersion: string, list: readonly unknown[]): Handler => {
  return (_, response) => sendJson(response, 200, { kind: 'APIResourceList', groupVersion, resources: list });
};

const discoveryDocuments: Record<string, Handler> = {
  '/readyz': (_, response) => response.writeHead(200).end('ok'),
  '/api/v1': resources('v1', [
    { name: 'configmaps', kind: 'ConfigMap', namespaced: true },
    { name: 'namespaces', kind: 'Namespace', namespaced: false },
    { name: 'namespaces/status', kind: 'Namespace', namespaced: false },
  ]),
  '/apis/apps/v1': resources('apps/v1', [
    { name: 'deployments', kind: 'Deployment', namespaced: true },
    { name: 'deployments/scale', kind: 'Scale', namespaced: true },
  ]),
};
