import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnApiServer, ownApiServer } from './ownApiServer.js';

export interface RealCluster {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * The kubeconfig of a real API server for contract tests: the one that `RAYGATE_TEST_KUBECONFIG` names (`raygate lab
 * kubeconfig` prints the lab's), else that of a server of our own, from the binaries in `RAYGATE_TEST_BINARIES`. There is no
 * fake in its place: without either the tests fail.
 */
export async function realKubeconfig(): Promise<RealCluster> {
  const path = process.env['RAYGATE_TEST_KUBECONFIG'];
  if (path) return { path, release: async () => undefined };
  const server = await startedApiServer();
  return { path: server.kubeconfigPath, release: () => server.close() };
}

/** A server of our own, on its way up. */
export async function startedApiServer(): Promise<OwnApiServer> {
  const folder = process.env['RAYGATE_TEST_BINARIES'];
  if (!folder) {
    throw new Error(
      'set RAYGATE_TEST_BINARIES to a folder with etcd and kube-apiserver (or RAYGATE_TEST_KUBECONFIG to a local cluster)',
    );
  }
  const etcd = await firstOf(join(folder, 'etcd'), join(folder, 'server'));
  const server = await ownApiServer({ etcd, apiserver: join(folder, 'kube-apiserver') });
  await server.start();
  return server;
}

async function firstOf(first: string, second: string): Promise<string> {
  return access(first).then(
    () => first,
    () => second,
  );
}
