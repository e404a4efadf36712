import { deadlineIn } from '../core/deadline.js';
import { isGateError } from '../core/gateError.js';
import { fileExists } from '../host/fileExists.js';
import { allComponents } from './components/all.js';
import { componentNames, type Health, type LabContext } from './components/component.js';
import { clusterDnsHealth } from './machine/clusterDns.js';
import { networkHealth } from './machine/network.js';
import { observeStart } from './observeStart.js';
import type { OperatorName } from './operators/all.js';
import { deploymentRef, type Operator } from './operators/operator.js';
import { noKubeconfigReason, readOwner } from './owner.js';
import type { LabPaths } from './paths.js';
import { readRecord } from './process/daemon.js';
import { isAlive } from './process/processTable.js';
import { judgeReadiness, readinessKinds } from './readiness.js';
import { withLabCluster } from './up.js';

export interface PartStatus extends Health {
  readonly name: string;
}

/** The health of each part of the lab, and why. Reads only. */
export async function labStatus(paths: LabPaths): Promise<readonly PartStatus[]> {
  // Probes need folders and ports, no binaries.
  const lab: LabContext = { paths, binary: (name) => `/${name}/${name}`, materialVersion: '' };
  const components = new Map(allComponents(lab, '/etc/resolv.conf').map((component) => [component.name, component]));
  const processes = componentNames.map(async (name): Promise<PartStatus> => {
    const record = await readRecord(paths.processFolder, name);
    if (!record) return { name, healthy: false, why: 'not running: never started, or taken down' };
    if (!isAlive(record))
      return { name, healthy: false, why: `not running: pid ${record.pid} ended; see: raygate lab logs ${name}` };
    const health = await (components.get(name) ?? never(name)).probe();
    return { name, healthy: health.healthy, why: `pid ${record.pid}, ${health.why}` };
  });
  const parts = await Promise.all([part('network', networkHealth()), ...processes]);
  if (!(await fileExists(paths.kubeconfig))) {
    const why = noKubeconfigReason(await readOwner(paths.ownerFile), paths);
    const known = parts.map((each) => (each.why.includes('ENOENT') ? { ...each, why } : each));
    return [...known, ...unknownWorkloads(why), await part('dns', clusterDnsHealth())];
  }
  return [...parts, ...(await workloads(paths)), await part('dns', clusterDnsHealth())];
}

async function part(name: string, health: Promise<Health>): Promise<PartStatus> {
  return { name, ...(await health) };
}

const operators: Readonly<Record<Exclude<OperatorName, 'kueue'>, Operator>> = {
  coredns: { name: 'coredns', objects: [], deployment: deploymentRef('kube-system', 'coredns') },
  'local-path': {
    name: 'local-path',
    objects: [],
    deployment: deploymentRef('local-path-storage', 'local-path-provisioner'),
  },
  kuberay: { name: 'kuberay', objects: [], deployment: deploymentRef('kuberay-system', 'kuberay-operator') },
};

async function workloads(paths: LabPaths): Promise<readonly PartStatus[]> {
  try {
    return await withLabCluster(paths, async (cluster) => {
      const start = await observeStart(paths);
      const store = cluster.watch(readinessKinds);
      try {
        await store.ready(deadlineIn(5), 'lab');
        const view = store.view();
        const judge = (name: string, of: readonly Operator[]): PartStatus => {
          const verdict = judgeReadiness(view, of, start);
          return verdict.kind === 'ready'
            ? { name, healthy: true, why: verdict.facts.at(-1) ?? '' }
            : { name, healthy: false, why: verdict.detail };
        };
        return [judge('node', []), ...Object.values(operators).map((operator) => judge(operator.name, [operator]))];
      } finally {
        await store.close();
      }
    });
  } catch (error) {
    const why = isGateError(error) || error instanceof Error ? error.message : String(error);
    return unknownWorkloads(why);
  }
}

function unknownWorkloads(why: string): readonly PartStatus[] {
  return ['node', ...Object.keys(operators)].map((name) => ({ name, healthy: false, why: `unknown: ${why}` }));
}

function never(name: string): never {
  throw new Error(`no component is called ${name}`);
}
