import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { View } from '../../cluster/watchStore.js';
import { deadlineIn } from '../../core/deadline.js';
import { inspectImage } from '../../host/docker.js';
import type { RunPlan } from '../model/plan.js';
import type { RunDecision } from '../model/runDecision.js';
import type { EvidenceDocument } from '../report/evidence.js';
import { identityDifference } from '../rules/stillProven.js';
import { dockerOf } from './images.js';
import { listView } from './listView.js';
import { judgeLiveIdentity } from './liveIdentity.js';
import type { PersistOptions } from './persist.js';
import { appReading, judging, rayReading, setupReading } from './readings.js';
import { evidencePath, newestRunId, readJson, runFolder, runIds } from './stateFolder.js';

/** Seconds in which a pod that is merely unready may become Ready again. */
const settleSeconds = 15;

/** Compares the last evidence with what lives now, and finds an unfinished run of the same plan. Reads only. */
export async function decideRun(plan: RunPlan, persist: PersistOptions): Promise<RunDecision> {
  const evidence = await readJson<EvidenceDocument>(evidencePath(plan.stateFolder));
  const newest = await newestRunId(plan.stateFolder);
  if (newest !== undefined && newest !== evidence?.runId) {
    const run = runFolder(plan.stateFolder, newest);
    const started = await run.readMark<{ fingerprint: string }>('started');
    const isVoid = (await run.readMark('void')) !== undefined;
    if (started?.fingerprint === plan.fingerprint && !isVoid) return { kind: 'continued', runId: newest };
  }
  const why =
    evidence === undefined
      ? 'nothing was proven yet'
      : ((await whyChanged(plan.stateFolder, evidence)) ?? (await whyNotProven(plan, persist, evidence)));
  if (why === undefined && evidence !== undefined) {
    return {
      kind: 'still-proven',
      runId: evidence.runId,
      since: evidence.finishedAt,
      checked: checkedThings(evidence),
    };
  }
  return { kind: 'new', runId: newRunId(), why: why ?? 'nothing was proven yet' };
}

/**
 * A later run that had drained was about to change the cluster, with another plan or until it was void. What it changed need not
 * show in an identity (a ConfigMap that no pod has read anew), so the proof from before it is none any more.
 */
async function whyChanged(stateFolder: string, evidence: EvidenceDocument): Promise<string | undefined> {
  for (const later of (await runIds(stateFolder)).filter((runId) => runId > evidence.runId)) {
    const drained = await runFolder(stateFolder, later).readObservation('drain');
    if (drained !== undefined) return `run ${later} has begun to change the cluster since, and did not end in proof`;
  }
  return undefined;
}

async function whyNotProven(
  plan: RunPlan,
  persist: PersistOptions,
  evidence: EvidenceDocument,
): Promise<string | undefined> {
  if (evidence.schema !== 'raygate.evidence/1') return 'the last evidence has another form';
  if (evidence.fingerprint !== plan.fingerprint) {
    return evidence.source.tree === plan.source.tree
      ? 'what is deployed, or where, has changed'
      : 'the source tree has changed';
  }
  const { app, legacy } = {
    app: evidence.observations.images.facts.app,
    legacy: evidence.observations.images.facts.legacy,
  };
  for (const image of [app, legacy]) {
    const now = await inspectImage(dockerOf(plan), image.reference, plan.deadlines['command'] ?? 120);
    if (now?.id !== image.id) return `the image ${image.reference} is ${now === undefined ? 'gone' : 'another one'}`;
  }
  const read = (seen: View) => ({ ray: rayReading(seen), app: appReading(seen), setup: setupReading(seen) });
  const clusterUid = evidence.identity.ray.clusterUid;
  const judge = judging(read, (reading) => judgeLiveIdentity(reading, plan, app, clusterUid));
  // A probe that failed once makes a pod unready for a moment: that alone is no reason to restart everything.
  const settle = deadlineIn(Math.min(settleSeconds, persist.deadline.remainingMs() / 1000));
  for (;;) {
    const live = judge(await listView(persist, plan.namespace));
    if (live.kind === 'ready') return identityDifference(evidence.identity, live.facts);
    if (live.kind === 'failed' || settle.passed()) return live.detail;
    await pause(Math.min(1_000, settle.remainingMs()));
  }
}

function checkedThings({ identity, observations }: EvidenceDocument): readonly string[] {
  const pods = identity.ray.pods.length + identity.deployments.reduce((sum, one) => sum + one.pods.length, 0);
  return [
    `tree ${observations.setup.facts.result.sourceTree.slice(0, 12)}`,
    `RayCluster ${identity.ray.clusterUid}`,
    `${identity.deployments.length} Deployments`,
    `${pods} pods by UID, image and restarts`,
    '2 images',
    `setup Job ${identity.setupJobUid}`,
  ];
}

/** `20260131T120000Z-1a2b3c4d`: ids sort by time. */
function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
