import { writeWhole } from '../../host/wholeFile.js';
import type { ProvenIdentity } from '../model/identities.js';
import type { Facts } from '../model/observation.js';
import { stepLayers } from '../model/plan.js';
import { type EvidenceDocument, evidenceBasis, evidenceValues, type Observations } from '../report/evidence.js';
import { evidenceBlock } from '../report/evidenceLines.js';
import { earlier } from './digests.js';
import { confirmUnchanged, voiding } from './finalIdentity.js';
import { evidenceLinesPath, evidencePath, pruneRuns, writeJson } from './stateFolder.js';
import type { StepContext } from './stepContext.js';

/**
 * Composes the evidence of what each layer of the run saw. A kill may have come between final-identity and this step, and any
 * time may have passed: so it is written only if nothing is other than it was then either.
 */
export function runEvidence(context: StepContext): Promise<Facts['evidence']> {
  return voiding(context, async () => {
    const observations = await readObservations(context);
    const { identity } = await confirmUnchanged(context, 'evidence');
    return writeEvidence(context, observations, identity);
  });
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

async function writeEvidence(
  context: StepContext,
  observations: Observations,
  identity: ProvenIdentity,
): Promise<Facts['evidence']> {
  const { plan, runId, redactor } = context;
  const lines = evidenceBlock(evidenceValues(plan, observations, identity), redactor.clean);
  const seconds = Object.fromEntries(Object.values(observations).map((one) => [one.layer, one.seconds]));
  const document: EvidenceDocument = {
    schema: 'raygate.evidence/2',
    runId,
    finishedAt: new Date().toISOString(),
    platform: plan.platform,
    fingerprint: plan.fingerprint,
    source: plan.source,
    kubeconfig: plan.kubeconfig,
    dockerHost: plan.docker.host,
    release: plan.release,
    lines,
    basis: evidenceBasis,
    identity,
    observations,
    seconds,
  };
  const clean = JSON.parse(redactor.clean(JSON.stringify(document))) as EvidenceDocument;
  const [evidenceFile, linesFile] = [evidencePath(plan.stateFolder), evidenceLinesPath(plan.stateFolder)];
  await writeWhole(linesFile, `${lines.join('\n')}\n`);
  // Last: this file is what says that the run is proven.
  await writeJson(evidenceFile, clean);
  await pruneRuns(plan.stateFolder);
  return { evidenceFile, linesFile };
}
