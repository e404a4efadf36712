import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { aKubeconfig, makePki } from '../../builders/kubeconfig.js';

/** A real etcd and a real kube-apiserver on free loopback ports, for tests that take the API server away. */
export interface OwnApiServer {
  readonly folder: string;
  readonly kubeconfigPath: string;
  /**
   * Every request of the kubeconfig's user that would have changed something, refused ones too, in order and as the server's
   * audit log has it: `create /api/v1/namespaces`. Dry runs are none.
   */
  writes(): Promise<readonly string[]>;
  start(): Promise<void>;
  /** Ends the API server alone, etcd's data stays. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Freezes it, as a machine that hangs does: connections stay open and nothing is said. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

/** `binaries` holds `etcd` (or `server`) and `kube-apiserver`. */
export async function ownApiServer(binaries: { etcd: string; apiserver: string }): Promise<OwnApiServer> {
  const folder = await mkdtemp(join(tmpdir(), 'raygate-apiserver-'));
  const [etcdPort, peerPort, port] = await Promise.all([freePort(), freePort(), freePort()]);
  const pki = await makePki();
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const ca = await file('ca.crt', pki.authority.certificate);
  const crt = await file('server.crt', pki.server.certificate);
  const key = await file('server.key', pki.server.key);
  const signing = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const signingKey = await file('sa.key', signing.privateKey);
  const signingPublic = await file('sa.pub', signing.publicKey);
  const kubeconfigPath = await file('kubeconfig', stringify(aKubeconfig(pki, { server: `https://127.0.0.1:${port}` })));
  await mkdir(join(folder, 'etcd'), { mode: 0o700 });
  const auditPolicy = await file('audit-policy', JSON.stringify(writesAsTheyCome));
  const auditLog = join(folder, 'audit.log');

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const etcd = await launch(folder, 'etcd', binaries.etcd, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    // As kubeadm has it: without it, kinds that do not change get no bookmarks, and a quiet stream looks like a dead one.
    '--watch-progress-notify-interval=5s',
    '--log-level=warn',
  ]);
  let apiserver: ChildProcess | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (!apiserver || apiserver.exitCode !== null || apiserver.signalCode !== null) return;
    const gone = once(apiserver, 'exit');
    apiserver.kill(signal);
    await gone;
  };
  return {
    folder,
    kubeconfigPath,
    writes: async () => parseWrites(await readFile(auditLog, 'utf8')),
    async start() {
      apiserver = await launch(folder, 'kube-apiserver', binaries.apiserver, [
        '--bind-address=127.0.0.1',
        `--secure-port=${port}`,
        `--etcd-servers=${etcdUrl}`,
        `--client-ca-file=${ca}`,
        `--tls-cert-file=${crt}`,
        `--tls-private-key-file=${key}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${signingPublic}`,
        `--service-account-signing-key-file=${signingKey}`,
        '--service-cluster-ip-range=10.250.0.0/16',
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
        '--shutdown-delay-duration=0s',
        `--audit-policy-file=${auditPolicy}`,
        `--audit-log-path=${auditLog}`,
      ]);
    },
    stop,
    signal(signal) {
      apiserver?.kill(signal);
    },
    async close() {
      apiserver?.kill('SIGCONT');
      await stop('SIGKILL');
      if (etcd.exitCode === null && etcd.signalCode === null) {
        const gone = once(etcd, 'exit');
        etcd.kill('SIGKILL');
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Written down when they come in, before anything is carried out. */
const writesAsTheyCome = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['ResponseStarted', 'ResponseComplete', 'Panic'],
  rules: [
    { level: 'None', verbs: ['get', 'list', 'watch'] },
    // The common name of `makePki`'s client.
    { level: 'Metadata', users: ['user'] },
    { level: 'None' },
  ],
};

function parseWrites(log: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { verb: string; requestURI: string })
    .map(({ verb, requestURI }) => ({ verb, url: new URL(requestURI, 'https://server') }))
    .filter(({ url }) => !url.searchParams.has('dryRun'))
    .map(({ verb, url }) => `${verb} ${url.pathname}`);
}

async function launch(folder: string, name: string, path: string, argv: string[]): Promise<ChildProcess> {
  const log = await open(join(folder, `${name}.log`), 'a', 0o600);
  const child = spawn(path, argv, {
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: process.env['PATH'] },
  });
  await once(child, 'spawn');
  await log.close();
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}
