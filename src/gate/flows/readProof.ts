import type { RunPlan } from '../model/plan.js';
import type { EvidenceDocument } from '../report/evidence.js';
import { proofLine } from '../report/proofLine.js';
import type { RunDecision } from './decideRun.js';
import { evidencePath, readJson } from './stateFolder.js';

/** The proof of a plan in one line, from the evidence as it lies there. Call it when the evidence step has ended. */
export async function readProof(plan: RunPlan, decision: RunDecision): Promise<string> {
  const evidence = await readJson<EvidenceDocument>(evidencePath(plan.stateFolder));
  return proofLine({ decision, tree: plan.source.tree, evidence });
}
