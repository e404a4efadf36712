import { rm } from 'node:fs/promises';
import { GateError } from '../../core/gateError.js';
import { archiveSha256 } from '../../host/git.js';
import { leftPrivateFolders } from '../../host/privateFolder.js';
import { writeWholeFolder } from '../../host/wholeFolder.js';
import type { ProvenIdentity } from '../model/identities.js';
import type { Facts, LayerTime } from '../model/observation.js';
import { cleaned } from '../report/cleaned.js';
import { type EvidenceDocument, evidenceSchemaName, type Observations, sourcesOf } from '../report/evidence.js';
import { evidenceContents } from '../report/evidenceContents.js';
import { evidenceBlock } from '../report/evidenceLines.js';
import type { PlanFacts } from '../report/evidenceSources.js';
import { verifyFolder } from '../report/verify.js';
import { evidenceFolder, evidenceLinesPath, evidencePath, failureFolder, pruneRuns } from './stateFolder.js';
import type { StepContext } from './stepContext.js';

/** The mark of a run in which preflight leaves its time. */
export const preflightMark = 'preflight';

/**
 * Composes the evidence of a run and writes its files, all or none, once everything is tidied up. What would not pass
 * `raygate evidence verify` is not written.
 */
export async function writeEvidence(
  context: StepContext,
  observations: Observations,
  identity: ProvenIdentity,
): Promise<Facts['evidence']> {
  const { plan, runId, redactor, run } = context;
  const preflight = await run.readMark<LayerTime>(preflightMark);
  const seen = cleaned({ plan: await planFacts(context), observations, identity }, redactor.clean);
  const document: EvidenceDocument = {
    schema: evidenceSchemaName,
    runId,
    finishedAt: new Date().toISOString(),
    platform: plan.platform,
    fingerprint: plan.fingerprint,
    parts: plan.parts,
    plan: seen.plan,
    ...(preflight === undefined ? {} : { preflight: cleaned(preflight, redactor.clean) }),
    observations: seen.observations,
    evidence: ownTime(context),
    identity: seen.identity,
    lines: evidenceBlock(sourcesOf(seen)),
  };
  const files = evidenceContents(document);
  refuseUnverified(files);
  await tidyUp(plan.stateFolder);
  await writeWholeFolder(evidenceFolder(plan.stateFolder), files);
  await rm(failureFolder(plan.stateFolder), { recursive: true, force: true });
  return { evidenceFile: evidencePath(plan.stateFolder), linesFile: evidenceLinesPath(plan.stateFolder) };
}

async function planFacts({ plan }: StepContext): Promise<PlanFacts> {
  const { commit, tree } = plan.source;
  const { sha256, context, server } = plan.kubeconfig;
  const { tag, buildInputsSha256, archiveUri } = plan.release;
  return {
    namespace: plan.namespace,
    source: { commit, tree, archiveSha256: await archiveSha256(plan.source, plan.deadlines['command'] ?? 120) },
    kubeconfig: { sha256, context, server },
    dockerHost: plan.docker.host,
    release: { tag, buildInputsSha256, archiveUri },
  };
}

function ownTime({ deadline }: StepContext): LayerTime {
  const seconds = Math.round(deadline.elapsedSeconds() * 1000) / 1000;
  const now = Date.now();
  return {
    startedAt: new Date(now - seconds * 1000).toISOString(),
    endedAt: new Date(now).toISOString(),
    seconds,
    waits: [],
  };
}

/** With the bytes that would be written, by the function that anyone checks them with later. */
function refuseUnverified(files: ReadonlyMap<string, string>): void {
  const bytes = new Map([...files].map(([name, content]) => [name, Buffer.from(content, 'utf8')]));
  const [first] = verifyFolder(bytes).findings;
  if (first === undefined) return;
  const message = `What the layers saw makes no evidence: ${first.detail}. Set raygate:attempt to a new value and run again.`;
  throw new GateError({ layer: 'evidence', code: first.code, message });
}

/** No success before everything private of this run is gone. */
async function tidyUp(stateFolder: string): Promise<void> {
  await pruneRuns(stateFolder);
  const left = await leftPrivateFolders();
  if (left.length === 0) return;
  const message = `The run left the private folder ${left[0]}: remove it, then run again.`;
  throw new GateError({ layer: 'evidence', code: 'evidence.not-tidied', message, retryable: true });
}
