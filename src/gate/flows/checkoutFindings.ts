import { archiveSha256, readHead } from '../../host/git.js';
import { isProcessFailure } from '../../host/process.js';
import type { EvidenceDocument } from '../report/evidence.js';
import type { Finding } from '../report/finding.js';

export interface CheckoutVerification {
  /** What was compared, or why nothing was. */
  readonly checked: string;
  readonly findings: readonly Finding[];
}

/** Compares the source that an evidence speaks of with what is committed in the checkout around `folder`. */
export async function verifyCheckout(document: EvidenceDocument, folder: string): Promise<CheckoutVerification> {
  const { commit, tree, archiveSha256: recorded } = document.plan.source;
  const head = await readHead(folder);
  if (head === undefined) return { checked: 'source not compared: there is no checkout here', findings: [] };
  if (head.tree !== tree) {
    const detail = `the evidence is of tree ${tree} (commit ${commit.slice(0, 12)}), but HEAD of ${head.root} is tree ${head.tree}: check that commit out, or prove this tree with npm start`;
    return { checked: 'source tree', findings: [{ code: 'evidence.another-tree', detail }] };
  }
  const same =
    head.commit === commit ? `commit ${commit.slice(0, 12)}` : `tree ${tree.slice(0, 12)}, under another commit`;
  const archive = await archiveOf(head.root, commit);
  if (archive === undefined) {
    return { checked: `${same}; its archive not made anew: the commit is not here any more`, findings: [] };
  }
  const detail = `git archive of ${commit} has the SHA-256 ${archive}, not ${recorded}`;
  return {
    checked: `${same}, and the SHA-256 of its git archive`,
    findings: archive === recorded ? [] : [{ code: 'evidence.source-archive', detail }],
  };
}

async function archiveOf(root: string, commit: string): Promise<string | undefined> {
  try {
    return await archiveSha256({ root, commit });
  } catch (error) {
    if (isProcessFailure(error) && error.reason === 'exit') return undefined;
    throw error;
  }
}
