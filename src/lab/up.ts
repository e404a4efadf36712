import { mkdir, readFile } from 'node:fs/promises';
import type { Cluster } from '../cluster/cluster.js';
import { withCluster } from '../cluster/withCluster.js';
import { deadlineIn } from '../core/deadline.js';
import type { Progress } from '../core/progress.js';
import { withPrivateFolder } from '../host/privateFolder.js';
import { contextName, ports } from './addresses.js';
import { applyOperators } from './applyOperators.js';
import { allComponents } from './components/all.js';
import { type ComponentName, componentNames } from './components/component.js';
import { binaryLookup, prepareContext } from './context.js';
import { anyAlive, takeDown } from './down.js';
import { standardImages } from './images/catalog.js';
import { ensureImages, prepareImageInputs } from './images/ensure.js';
import { ensureCgroups } from './machine/cgroups.js';
import { clusterDnsHealth } from './machine/clusterDns.js';
import { ensureNetwork } from './machine/network.js';
import { assertHostable, assertPortsFree, ensurePackages } from './machine/requirements.js';
import { findStrays } from './machine/strays.js';
import { observeStart } from './observeStart.js';
import { type OperatorName, operatorsOf } from './operators/all.js';
import { otherLabError, readOwner, writeOwner } from './owner.js';
import type { LabPaths } from './paths.js';
import { convergeComponents } from './process/converge.js';
import { readRecord } from './process/daemon.js';
import { isAlive } from './process/processTable.js';
import { untilHealthy } from './process/untilHealthy.js';
import { judgeReadiness, readinessKinds } from './readiness.js';
import { buildUnits } from './toolchain/build.js';
import { goVersion } from './toolchain/goModule.js';
import { putDockerClientFirst } from './toolchain/tools.js';
import { nodeUnits, type UnitName } from './toolchain/units.js';

export interface UpOptions {
  readonly paths: LabPaths;
  readonly projectFolder: string;
  readonly progress: Progress;
  /** Beside KubeRay, which is always there. */
  readonly withKueue: boolean;
}

export interface UpReport {
  /** Components that had to be (re)started; empty when the lab was up. */
  readonly started: readonly string[];
  readonly appliedOperators: readonly string[];
  readonly seconds: number;
}

const readinessLimitSeconds = 300;
const dnsLimitSeconds = 60;

/** Brings the lab up, or back to health, whatever state it is in. Must hold the lab's lock. */
export async function bringUp(options: UpOptions): Promise<UpReport> {
  const { paths, progress } = options;
  const began = performance.now();
  assertHostable(process.platform, process.getuid?.());
  await clearOtherLab(paths, progress);
  await clearUnrecorded(paths, progress);
  await assertPortsFree(await portsOfLivingComponents(paths));
  await ensurePackages(progress);
  const go = await goVersion();
  const names: UnitName[] = [...nodeUnits, ...(options.withKueue ? (['kueue'] as const) : [])];
  const sayImages = (line: string) => progress('lab/images', line);
  // The root file systems are downloads above all: they are made beside the compiler.
  const [folders] = await bothEnded([
    buildUnits(names, { binFolder: paths.binFolder, go, progress }),
    prepareImageInputs({ cacheFolder: paths.imageFolder, onProgress: sayImages }),
  ]);

  await putDockerClientFirst({ binFolder: paths.binFolder, go });
  await mkdir(paths.storageFolder, { recursive: true, mode: 0o755 });
  await mkdir(paths.runFolder, { recursive: true, mode: 0o711 });
  const lab = await prepareContext(paths, folders, new Date());
  await writeOwner(paths.ownerFile, { stateFolder: paths.stateFolder, project: options.projectFolder });
  await ensureNetwork();
  await ensureCgroups();
  const components = allComponents(lab, await resolvConf());
  const started = await convergeComponents(components, paths, progress);

  const operatorNames: OperatorName[] = [
    'coredns',
    'local-path',
    'kuberay',
    ...(options.withKueue ? (['kueue'] as const) : []),
  ];
  const binary = binaryLookup(folders);
  const imageNames = options.withKueue ? [...standardImages, 'kueue' as const] : standardImages;
  await ensureImages(
    {
      dockerHost: `unix://${paths.dockerSocket}`,
      dockerConfig: paths.dockerConfigFolder,
      cacheFolder: paths.imageFolder,
      binaries: binary,
      onProgress: sayImages,
    },
    imageNames,
  );
  const applied = await withLabCluster(paths, async (cluster) => {
    const operators = await operatorsOf(operatorNames, { paths, kubectl: binary('kubectl') });
    const appliedNames = await applyOperators(cluster, operators);
    const start = await observeStart(paths);
    const store = cluster.watch(readinessKinds);
    try {
      await store.ready(deadlineIn(readinessLimitSeconds), 'lab');
      await store.until((view) => judgeReadiness(view, operators, start), {
        deadline: deadlineIn(readinessLimitSeconds),
        layer: 'lab',
        onProgress: (line) => progress('lab/ready', line),
      });
    } finally {
      await store.close();
    }
    progress('lab/ready', '');
    return appliedNames;
  });
  await untilHealthy({
    name: 'cluster DNS',
    see: 'raygate lab status',
    limitSeconds: dnsLimitSeconds,
    probe: clusterDnsHealth,
    onProgress: (line) => progress('lab/dns', line),
  });
  return { started, appliedOperators: applied, seconds: (performance.now() - began) / 1000 };
}

/** Opens the lab's own API server through its kubeconfig, for the length of `act`. */
export function withLabCluster<T>(paths: LabPaths, act: (cluster: Cluster) => Promise<T>): Promise<T> {
  return withCluster({ kubeconfigPath: paths.kubeconfig, context: contextName, inFolder: withPrivateFolder }, act);
}

/** Both results, or the first failure once both have ended: no work goes on behind a reported error. */
async function bothEnded<A, B>(work: readonly [Promise<A>, Promise<B>]): Promise<readonly [A, B]> {
  await Promise.allSettled(work);
  return [await work[0], await work[1]];
}

/** A lab of another state folder: named when it lives, taken away when it is dead. */
async function clearOtherLab(paths: LabPaths, progress: Progress): Promise<void> {
  const owner = await readOwner(paths.ownerFile);
  if (!owner || owner.stateFolder === paths.stateFolder) return;
  if (await anyAlive(paths, owner.stateFolder)) throw otherLabError(owner, paths);
  await takeDown(paths, progress);
}

/**
 * Takes the lab down when a component of it lives that no record names, as after a loss of /run: nothing says any more whether
 * it is what this version would start.
 */
async function clearUnrecorded(paths: LabPaths, progress: Progress): Promise<void> {
  const records = await Promise.all(componentNames.map((name) => readRecord(paths.processFolder, name)));
  const recorded = new Set(records.map((record) => record?.pid));
  const strays = await findStrays([paths.stateFolder, paths.runFolder]);
  const isComponent = (name: string) => componentNames.some((each) => each === name);
  if (strays.some((stray) => isComponent(stray.command) && !recorded.has(stray.pid))) await takeDown(paths, progress);
}

const componentPorts: Partial<Record<ComponentName, readonly number[]>> = {
  etcd: [ports.etcdClient, ports.etcdPeer, ports.etcdMetrics],
  'kube-apiserver': [ports.apiserver],
  'kube-controller-manager': [ports.controllerManager],
  'kube-scheduler': [ports.scheduler],
  kubelet: [ports.kubelet, ports.kubeletHealth],
  'kube-proxy': [ports.kubeProxyHealth, ports.kubeProxyMetrics],
};

async function portsOfLivingComponents(paths: LabPaths): Promise<ReadonlySet<number>> {
  const own = new Set<number>();
  for (const [name, numbers] of Object.entries(componentPorts)) {
    const record = await readRecord(paths.processFolder, name);
    if (record && isAlive(record)) for (const port of numbers) own.add(port);
  }
  return own;
}

/** The resolver that DNS falls back to: systemd's stub on loopback would send CoreDNS' questions back to itself. */
async function resolvConf(): Promise<string> {
  const stub = '/run/systemd/resolve/resolv.conf';
  const text = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
  const servers = text.split('\n').filter((line) => line.startsWith('nameserver'));
  const isLoopback = servers.length > 0 && servers.every((line) => /\s(127\.|::1)/.test(line));
  if (!isLoopback) return '/etc/resolv.conf';
  return readFile(stub).then(
    () => stub,
    () => '/etc/resolv.conf',
  );
}
