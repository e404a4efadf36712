import type { RunDecision } from '../flows/decideRun.js';
import type { EvidenceDocument } from './evidence.js';

/** What the proof rests on, after an `up`. */
export interface ProofSource {
  readonly decision: RunDecision;
  /** The tree that was deployed: 40 hex digits. */
  readonly tree: string;
  /** The newest evidence; undefined when there is none that can be read. */
  readonly evidence: Pick<EvidenceDocument, 'runId' | 'finishedAt' | 'plan'> | undefined;
}

/** One line for whoever looks at a stack's outputs: whether it is proven, which tree, and when. It claims nothing that the evidence lacks. */
export function proofLine({ decision, tree, evidence }: ProofSource): string {
  const { runId } = decision;
  if (evidence?.runId !== runId || evidence.plan.source.tree !== tree) {
    return `not proven: run ${runId} of tree ${tree.slice(0, 12)} has no evidence`;
  }
  const said = decision.kind === 'still-proven' ? 'still proven' : 'proven';
  return `${said}: tree ${tree.slice(0, 12)}, run ${runId}, evidence of ${evidence.finishedAt}`;
}
