import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import { type KubeconfigSnapshot, takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { runFolder } from '../../src/gate/flows/stateFolder.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { leaseRef, readLease } from '../../src/gate/model/lease.js';
import type { Observation } from '../../src/gate/model/observation.js';
import type { RunPlan, StepLayer } from '../../src/gate/model/plan.js';
import { removeStep } from '../../src/gate/provider/removeStep.js';
import { runStep } from '../../src/gate/provider/runStep.js';
import { runPlan } from '../builders/step.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { startedApiServer } from './support/realKubeconfig.js';

const namespace = 'django-ray';
const write = { fieldManager: 'raygate-contract' };
const jobRef = { ...kinds.job, name: 'django-setup', namespace };
let server: OwnApiServer;
let folder: string;
let snapshot: KubeconfigSnapshot;
let cluster: Cluster;
let runs = 0;
let runId: string;

beforeAll(async () => {
  server = await startedApiServer();
  folder = await mkdtemp(join(tmpdir(), 'raygate-session-'));
  snapshot = await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, directory: folder });
  cluster = await openCluster(snapshot);
  await cluster.waitReachable(deadlineIn(60));
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, write);
  await serveRayClusters(cluster);
});
afterAll(async () => {
  await cluster?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  runs += 1;
  runId = `20260101T00000${runs}Z-aaaaaaaa`;
});
// The sessions of this process live on as long as it does: each test takes the Lease away from its own, for the next.
afterEach(async () => {
  vi.restoreAllMocks();
  const spec = { holderIdentity: null };
  await cluster.patch(leaseRef(namespace), { spec }, { ...write, type: 'merge' }).catch(() => {});
  await cluster.remove(jobRef, { propagation: 'Background' });
});

const stateFolder = () => join(folder, 'state');
const plan = (fields: Partial<RunPlan> = {}) =>
  runPlan(stateFolder(), {
    kubeconfig: { path: snapshot.path, sha256: snapshot.sha256, context: snapshot.context, server: snapshot.server },
    deadlines: { workloads: 20, lease: 3 },
    ...fields,
  });
const inputs = (layer: StepLayer, fields: Partial<RunPlan> = {}) => ({ layer, runId, plan: plan(fields) });
const holder = async () => {
  const read = await cluster.get(leaseRef(namespace));
  return read.kind === 'found' ? readLease(read.value).holder : undefined;
};

/** Of an earlier process of this run, which has proven the setup Job. */
async function setupProven() {
  const { kind, apiVersion } = kinds.job;
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
  const metadata = { name: jobRef.name, namespace };
  const job = await cluster.create({ apiVersion, kind, metadata, spec: { template } }, write);
  await runFolder(stateFolder(), runId).writeObservation({
    schema: 'raygate.observation/1',
    layer: 'setup',
    runId,
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 1,
    facts: { jobUid: job.metadata.uid } as Observation<'setup'>['facts'],
  });
}

describe('the steps of one run, on a real API server', () => {
  test('hold the Lease from the first one on, and the last removal gives it up', async () => {
    await runStep(inputs('drain'));
    expect(await holder()).toMatchObject({ stack: 'lab', runId, process: { pid: process.pid } });
    await removeStep(inputs('drain'));
    expect(await holder()).toBeUndefined();
  });

  test('keep another run away, which says who they are', async () => {
    await runStep(inputs('drain'));
    const other = { ...inputs('drain'), runId: '20260202T000000Z-bbbbbbbb' };
    await expect(runStep(other)).rejects.toMatchObject({
      layer: 'drain',
      code: 'gate.lease-held',
      message: expect.stringContaining(`run ${runId} of stack lab, pid ${process.pid}`),
    });
  });

  test('end at once when what an earlier layer proved is replaced, whatever they wait for', async () => {
    await setupProven();
    const waiting = [runStep(inputs('workloads')), runStep(inputs('rollouts'))].map((step) => step.catch((e) => e));
    const log = () => readFile(join(stateFolder(), 'runs', runId, 'progress.log'), 'utf8').catch(() => '');
    await expect.poll(log, { timeout: 10_000 }).toContain('[workloads] RayCluster ray is not there yet');
    const start = performance.now();
    await cluster.remove(jobRef, { propagation: 'Background' });
    const ends = await Promise.all(waiting);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(ends.map((end) => [end.layer, end.code])).toEqual([
      ['workloads', 'watch.identity-changed'],
      ['rollouts', 'watch.identity-changed'],
    ]);
    expect(ends[0].message).toContain('Since layer setup proved it, Job django-setup');
    expect(await runFolder(stateFolder(), runId).readMark('void')).toBeDefined();
    await expect(runStep(inputs('drain'))).rejects.toMatchObject({ layer: 'drain', code: 'watch.identity-changed' });
  });

  test('end at once when the whole run took too long', async () => {
    const start = performance.now();
    await expect(runStep(inputs('workloads', { deadlineSeconds: 1 }))).rejects.toMatchObject({
      layer: 'workloads',
      code: 'gate.deadline',
      retryable: true,
    });
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(await runFolder(stateFolder(), runId).readMark('void')).toBeUndefined();
  });

  test('end at once when the Lease is taken from them', async () => {
    const waiting = runStep(inputs('workloads')).catch((error) => error);
    await expect.poll(holder, { timeout: 10_000 }).toMatchObject({ runId });
    const spec = { holderIdentity: 'somebody' };
    await cluster.patch(leaseRef(namespace), { spec }, { ...write, type: 'merge' });
    expect(await waiting).toMatchObject({ layer: 'workloads', code: 'gate.lease-lost', retryable: true });
  });
});
