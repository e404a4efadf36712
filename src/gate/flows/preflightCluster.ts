import { Socket } from 'node:net';
import type { Cluster } from '../../cluster/cluster.js';
import { isClusterError } from '../../cluster/clusterError.js';
import { type KubeObject, refOf } from '../../cluster/objects.js';
import { GateError } from '../../core/gateError.js';
import { asList, asRecord, asText, at } from '../model/json.js';
import { fieldManager, gateNamespace, kinds } from '../model/kinds.js';
import type { PlannedManifest } from '../model/plan.js';
import { judgeOperator, type RunningOperator } from '../rules/kuberayOperator.js';
import { mutate, type PersistOptions, readUntilAnswered } from './persist.js';

export interface ClusterExpectation {
  readonly objects: readonly PlannedManifest[];
  /** Where node ports answer on this machine. */
  readonly host: string;
  readonly adopt: boolean;
  readonly rayVersion: string;
}

/** What the cluster must already have, and what it must not have. Reads only. */
export async function checkCluster(
  { objects, host, adopt, rayVersion }: ClusterExpectation,
  persist: PersistOptions,
): Promise<RunningOperator> {
  const operator = await checkOperator(rayVersion, persist);
  await checkLegacyAccess(persist);
  await checkNodePorts(objects, host, persist);
  await checkOwnership(objects, adopt, persist);
  return operator;
}

async function checkOperator(rayVersion: string, persist: PersistOptions): Promise<RunningOperator> {
  const name = 'rayclusters.ray.io';
  const crd = await readUntilAnswered(`CRD ${name}`, () => persist.cluster.get({ ...kinds.crd, name }), persist);
  const established = asList(at(crd?.['status'], 'conditions')).map(asRecord);
  if (crd === undefined || !established.some((c) => c['type'] === 'Established' && c['status'] === 'True')) {
    throw problem(
      'kuberay-missing',
      `KubeRay is not installed: CRD ${name} is missing. Install the operator 1.6.2 (its Helm chart kuberay-operator).`,
    );
  }
  const all = await readUntilAnswered('Deployment list', () => persist.cluster.list(kinds.deployment), persist);
  const verdict = judgeOperator(all?.items ?? [], rayVersion);
  if (verdict.kind === 'ready') return verdict.facts;
  throw new GateError({ layer: 'preflight', code: verdict.code, message: verdict.detail });
}

/** Early versions of the overlay granted Prometheus the whole cluster; a leftover of that is taken away by hand, once. */
async function checkLegacyAccess(persist: PersistOptions): Promise<void> {
  for (const kind of [kinds.clusterRole, kinds.clusterRoleBinding]) {
    const name = 'prometheus-django-ray';
    const left = await readUntilAnswered(`${kind.kind} ${name}`, () => persist.cluster.get({ ...kind, name }), persist);
    if (left !== undefined) {
      const command = `kubectl delete ${kind.kind.toLowerCase()} ${name}`;
      throw problem(
        'legacy-access',
        `${kind.kind} ${name} of an older version is still there: delete it once with "${command}".`,
      );
    }
  }
}

/**
 * An object under one of our names that nobody applied for us is somebody else's until the user says otherwise: server-side apply
 * would take it over without a word. Namespace and claims are made by `raygate credentials` or outlive a stack; the Job is replaced.
 */
async function checkOwnership(
  objects: readonly PlannedManifest[],
  adopt: boolean,
  persist: PersistOptions,
): Promise<void> {
  if (adopt) return;
  const applied = objects.filter(({ phase, manifest }) => {
    return (
      !['preserved', 'setup'].includes(phase) &&
      !['Namespace', 'PersistentVolumeClaim'].includes(asText(manifest['kind']))
    );
  });
  await eachOf(applied, async ({ manifest, identity }) => {
    const ref = refOf(manifest as unknown as KubeObject);
    const live = await readUntilAnswered(identity, () => persist.cluster.get(ref), persist);
    const managers = live?.metadata.managedFields?.map((entry) => entry.manager) ?? [];
    if (live === undefined || managers.includes(fieldManager)) return;
    throw problem(
      'not-ours',
      `${identity} exists and was not made by raygate (field managers: ${managers.join(', ') || 'none'}): delete it, or set raygate:adopt to true.`,
    );
  });
}

/** Whoever answers on one of our node ports must be our own Service; anything else would be proven in its place. */
async function checkNodePorts(
  objects: readonly PlannedManifest[],
  host: string,
  persist: PersistOptions,
): Promise<void> {
  for (const { manifest } of objects.filter((object) => object.manifest['kind'] === 'Service')) {
    const ports = asList(at(manifest, 'spec', 'ports')).map((port) => asRecord(port)['nodePort']);
    for (const port of ports.filter((value) => typeof value === 'number')) {
      if (!(await answers(host, port))) continue;
      const name = asText(at(manifest, 'metadata', 'name'));
      const ref = { ...kinds.service, name, namespace: gateNamespace };
      const live = await readUntilAnswered(`Service ${name}`, () => persist.cluster.get(ref), persist);
      const held = asList(at(live?.['spec'], 'ports')).some((entry) => asRecord(entry)['nodePort'] === port);
      if (!held) {
        throw problem(
          'port-taken',
          `Something answers on ${host}:${port}, and it is not our Service ${name}: end it (ss -ltnp "sport = :${port}" shows it).`,
        );
      }
    }
  }
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    const name = host.replace(/^\[|\]$/g, '');
    socket.connect(port, name.endsWith('.localhost') ? 'localhost' : name);
  });
}

/**
 * The API server's own judgement of each object, admission and defaults included; nothing is stored. It answers only where the
 * objects' namespace is.
 */
export async function dryRunObjects(objects: readonly PlannedManifest[], persist: PersistOptions): Promise<void> {
  const tried = objects.filter((object) => object.phase !== 'preserved');
  await eachOf(tried, async (object) => {
    await mutate(`dry run of ${object.identity}`, () => dryRunOne(object, persist.cluster), persist);
  });
}

/** A few at a time: a burst of all of them would only queue at the API server. */
async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const pool = 6;
  for (let i = 0; i < items.length; i += pool) await Promise.all(items.slice(i, i + pool).map(act));
}

async function dryRunOne({ manifest, identity, phase }: PlannedManifest, cluster: Cluster): Promise<void> {
  const object = manifest as unknown as KubeObject;
  try {
    if (phase === 'setup') {
      // A Job's template cannot be changed, and the gate replaces it: so it is tried under a name of its own.
      const metadata = { ...object.metadata, name: `${object.metadata.name}-dry-run` };
      await cluster.create({ ...object, metadata }, { fieldManager, dryRun: true });
    } else {
      await cluster.apply(object, { fieldManager, dryRun: true, force: true });
    }
  } catch (error) {
    if (!isClusterError(error) || error.retryable) throw error;
    throw problem('dry-run', `The API server refuses ${identity || refOf(object).name}: ${error.message}`);
  }
}

function problem(code: string, message: string): GateError {
  return new GateError({ layer: 'preflight', code: `preflight.${code}`, message });
}
