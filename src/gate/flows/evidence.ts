import { deadlineIn } from '../../core/deadline.js';
import { GateError, isGateError } from '../../core/gateError.js';
import { inspectImage } from '../../host/docker.js';
import { readSource } from '../../host/git.js';
import { writeWhole } from '../../host/wholeFile.js';
import type { Facts } from '../model/observation.js';
import { stepLayers } from '../model/plan.js';
import { type EvidenceDocument, evidenceValues, type Observations } from '../report/evidence.js';
import { evidenceBlock } from '../report/evidenceLines.js';
import { identityDifference, type ProvenIdentity } from '../rules/stillProven.js';
import { earlier } from './digests.js';
import { dockerOf } from './images.js';
import { judgeLiveIdentity } from './liveIdentity.js';
import { appReading, judging, rayReading, setupReading } from './readings.js';
import { evidenceLinesPath, evidencePath, pruneRuns, writeJson } from './stateFolder.js';
import type { StepContext } from './stepContext.js';

/** Seconds in which a pod that is merely unready for a moment may become Ready again. */
const settleSeconds = 60;

/**
 * Last, everything once more at one moment: source, images, and who runs. Only when nothing has changed since each layer saw it is
 * the evidence written; otherwise the run is void, and the next one starts anew.
 */
export async function runEvidence(context: StepContext): Promise<Facts['evidence']> {
  try {
    const observations = await readObservations(context);
    await checkSource(context);
    await checkImages(context, observations);
    const identity = await checkIdentity(context, observations);
    return await writeEvidence(context, observations, identity);
  } catch (error) {
    // What the cluster could not say just now voids nothing: the same run goes on from here.
    if (isGateError(error) && error.retryable) throw error;
    await context.run.writeMark('void', {
      reason: error instanceof Error ? context.redactor.clean(error.message) : 'unknown',
    });
    throw error;
  }
}

async function readObservations(context: StepContext): Promise<Observations> {
  const found: Record<string, unknown> = {};
  for (const layer of stepLayers) {
    if (layer === 'evidence') continue;
    await earlier(context, layer);
    found[layer] = await context.run.readObservation(layer);
  }
  return found as Observations;
}

async function checkSource({ plan }: StepContext): Promise<void> {
  const now = await readSource(plan.source.root, plan.deadlines['command'] ?? 120);
  if (!now.ok) throw identityError('source', now.problem.detail);
  if (now.source.commit !== plan.source.commit) {
    throw identityError(
      'source',
      `HEAD moved from ${plan.source.commit.slice(0, 12)} to ${now.source.commit.slice(0, 12)} during the run.`,
    );
  }
}

async function checkImages({ plan }: StepContext, { images }: Observations): Promise<void> {
  for (const seen of [images.facts.app, images.facts.legacy]) {
    const now = await inspectImage(dockerOf(plan), seen.reference, plan.deadlines['command'] ?? 120);
    if (now?.id !== seen.id)
      throw identityError('image', `The image ${seen.reference} is ${now?.id ?? 'gone'} instead of ${seen.id}.`);
  }
}

async function checkIdentity(context: StepContext, seen: Observations): Promise<ProvenIdentity> {
  const store = await context.watch();
  const { plan } = context;
  const read = (view: Parameters<typeof rayReading>[0]) => ({
    ray: rayReading(view),
    app: appReading(view),
    setup: setupReading(view),
  });
  const judge = judging(read, (reading) =>
    judgeLiveIdentity(reading, plan, seen.images.facts.app, seen.ray.facts.clusterUid),
  );
  const live = await store.until(judge, {
    deadline: deadlineIn(Math.min(settleSeconds, context.deadline.remainingMs() / 1000)),
    layer: 'final-identity',
    onProgress: context.progress,
    confirm: true,
  });
  const { clusterUid, pods, heads, workers } = seen.ray.facts;
  const proven: ProvenIdentity = {
    ray: { clusterUid, pods, heads, workers },
    deployments: seen['app-convergence'].facts.deployments,
    setupJobUid: seen.setup.facts.jobUid,
  };
  const difference = identityDifference(proven, live);
  if (difference !== undefined) throw identityError('changed', `Since it was proven, ${difference}.`);
  return live;
}

async function writeEvidence(
  context: StepContext,
  observations: Observations,
  identity: ProvenIdentity,
): Promise<Facts['evidence']> {
  const { plan, runId, redactor } = context;
  const lines = evidenceBlock(evidenceValues(plan, observations, identity), redactor.clean);
  const seconds = Object.fromEntries(Object.values(observations).map((one) => [one.layer, one.seconds]));
  const document: EvidenceDocument = {
    schema: 'raygate.evidence/1',
    runId,
    finishedAt: new Date().toISOString(),
    platform: plan.platform,
    fingerprint: plan.fingerprint,
    source: plan.source,
    kubeconfig: plan.kubeconfig,
    dockerHost: plan.docker.host,
    release: plan.release,
    lines,
    identity,
    observations,
    seconds,
  };
  const clean = JSON.parse(redactor.clean(JSON.stringify(document))) as EvidenceDocument;
  await context.assertHolds();
  const [evidenceFile, linesFile] = [evidencePath(plan.stateFolder), evidenceLinesPath(plan.stateFolder)];
  await writeWhole(linesFile, `${lines.join('\n')}\n`);
  // Last: this file is what says that the run is proven.
  await writeJson(evidenceFile, clean);
  await pruneRuns(plan.stateFolder);
  return { evidenceFile, linesFile };
}

function identityError(code: string, message: string): GateError {
  return new GateError({ layer: 'final-identity', code: `final-identity.${code}`, message });
}
