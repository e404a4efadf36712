import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { View } from '../../cluster/watchStore.js';
import { isGateError } from '../../core/gateError.js';
import { inspectImage } from '../../host/docker.js';
import { processLife } from '../../host/processRecord.js';
import { leaseRef, readLease } from '../model/lease.js';
import type { Facts } from '../model/observation.js';
import { type RunPlan, type StepLayer, stepLayers } from '../model/plan.js';
import type { LayerStatus, RunFacts, StatusFacts } from '../model/status.js';
import type { EvidenceDocument } from '../report/evidence.js';
import { progressLines } from '../rules/progressLines.js';
import { decideRun } from './decideRun.js';
import { dockerOf } from './images.js';
import { listView } from './listView.js';
import { lookAtLayers } from './lookAtLayers.js';
import type { PersistOptions } from './persist.js';
import { evidencePath, newestRunId, readJson, runFolder } from './stateFolder.js';

export interface StatusOptions {
  readonly namespace: string;
  readonly stateFolder: string;
  /** Digest and source of what an `up` would plan now; why it would not come to plan, when it would not. */
  readonly planned: Pick<RunPlan, 'fingerprint' | 'source'> | { readonly refused: string };
  readonly persist: PersistOptions;
}

const logTailBytes = 65_536;

/** Reads all that a status rests on: the stack's folder, one list of each watched kind, the Lease, the two images. Changes nothing. */
export async function readStatus(options: StatusOptions): Promise<StatusFacts> {
  const { stateFolder, namespace, persist } = options;
  const evidence = await readJson<EvidenceDocument>(evidencePath(stateFolder));
  const newest = await newestRunId(stateFolder);
  const plan = newest === undefined ? undefined : await runFolder(stateFolder, newest).readMark<RunPlan>('plan');
  return {
    proof: evidence && {
      runId: evidence.runId,
      finishedAt: evidence.finishedAt,
      commit: evidence.source.commit,
    },
    run: newest === undefined ? undefined : await readRun(stateFolder, newest),
    ...(await readHolder(namespace, persist)),
    layers: newest === undefined || plan === undefined ? [] : await readLayers(plan, newest, persist),
    decision: await readDecision(options, plan),
  };
}

async function readRun(stateFolder: string, runId: string): Promise<RunFacts> {
  const run = runFolder(stateFolder, runId);
  const mark = await run.readMark<{ readonly reason?: string }>('void');
  const lines = progressLines(await tailOf(join(run.path, 'progress.log')));
  return { runId, voidReason: mark && (mark.reason ?? 'it does not say why'), lines };
}

async function readHolder(
  namespace: string,
  { cluster }: PersistOptions,
): Promise<Pick<StatusFacts, 'lease' | 'unreadable'>> {
  const read = await cluster.get(leaseRef(namespace));
  if (read.kind !== 'found') return { lease: undefined, unreadable: read.kind === 'absent' ? undefined : read.reason };
  const facts = readLease(read.value);
  const life = facts.holder === undefined ? 'unknown' : await processLife(facts.holder.process);
  return { lease: { facts, life }, unreadable: undefined };
}

/** Each layer by its own rule where that can be asked now, else by what it saw in that run. */
async function readLayers(plan: RunPlan, runId: string, persist: PersistOptions): Promise<readonly LayerStatus[]> {
  const run = runFolder(plan.stateFolder, runId);
  const seen: Partial<Record<StepLayer, Facts[StepLayer]>> = {};
  const when: Partial<Record<StepLayer, string>> = {};
  for (const layer of stepLayers) {
    const observation = await run.readObservation(layer);
    if (observation === undefined) continue;
    seen[layer] = observation.facts;
    when[layer] = `passed at ${observation.startedAt} in ${observation.seconds.toFixed(1)} s`;
  }
  const looked = await lookNow(plan, runId, seen as Parameters<typeof lookAtLayers>[0]['seen'], persist);
  return stepLayers.map((layer) => {
    const then = when[layer];
    if (then === undefined) return { layer, state: 'not-reached', detail: 'not passed in this run' };
    if (typeof looked === 'string') return { layer, state: 'waiting', code: 'status.unreadable', detail: looked };
    const verdict = looked[layer];
    if (verdict === undefined) return { layer, state: 'seen', detail: then };
    if (verdict.kind === 'ready') return { layer, state: 'ready', detail: then };
    return { layer, state: verdict.kind, code: verdict.code, detail: verdict.detail };
  });
}

async function lookNow(
  plan: RunPlan,
  runId: string,
  seen: Parameters<typeof lookAtLayers>[0]['seen'],
  persist: PersistOptions,
): Promise<ReturnType<typeof lookAtLayers> | string> {
  let view: View;
  try {
    view = await listView(persist, plan.namespace);
  } catch (error) {
    if (isGateError(error)) return error.message;
    throw error;
  }
  const references = seen.images ? [seen.images.app.reference, seen.images.legacy.reference] : [];
  const seconds = plan.deadlines['command'] ?? 120;
  const ids = references.map(async (reference) => {
    const now = await inspectImage(dockerOf(plan), reference, seconds).catch(() => undefined);
    return [reference, now?.id] as const;
  });
  return lookAtLayers({ plan, runId, view, seen, imageIds: Object.fromEntries(await Promise.all(ids)) });
}

async function readDecision(
  { planned, persist }: StatusOptions,
  plan: RunPlan | undefined,
): Promise<StatusFacts['decision']> {
  if ('refused' in planned) return { kind: 'refused', why: planned.refused };
  if (plan === undefined) return { kind: 'new', runId: '', why: 'nothing was proven yet' };
  try {
    // Where the digests are equal the plan is the same in all that counts; where they are not, nothing else of it is looked at.
    return await decideRun({ ...plan, ...planned }, persist);
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  }
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - logTailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}
