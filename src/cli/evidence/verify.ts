import { oneLine } from '../../core/boundedText.js';
import { GateError } from '../../core/gateError.js';
import { verifyCheckout } from '../../gate/flows/checkoutFindings.js';
import type { Finding } from '../../gate/report/finding.js';
import { type Verification, verifyDocument, verifyFolder } from '../../gate/report/verify.js';
import { visibleText } from '../../gate/report/visibleText.js';
import { type EvidencePlace, readEvidencePlace } from './readFiles.js';

export interface VerifyOptions {
  readonly path: string;
  /** The checkout to compare the source with; undefined: the files alone. */
  readonly checkout: string | undefined;
  readonly say: (line: string) => void;
}

const lineCharacters = 400;

/**
 * Checks an evidence and says each thing that was looked at, or is wrong, in a line.
 * @throws GateError `evidence.*`, the first thing that is wrong; `usage` when there is nothing to check
 */
export async function verifyEvidence({ path, checkout, say }: VerifyOptions): Promise<void> {
  const place = await readEvidencePlace(path);
  const verification = verify(place);
  const { document } = verification;
  const source = document && checkout !== undefined ? await verifyCheckout(document, checkout) : undefined;
  const findings = [...verification.findings, ...(source?.findings ?? [])];
  const [first] = findings;
  if (first !== undefined || document === undefined) {
    for (const finding of findings) say(`NO  ${shown(finding)}`);
    throw refused(first, findings.length, place.path);
  }
  const alone = place.kind === 'file' ? ['this file alone: give its folder to check those that belong to it'] : [];
  const checked = [...verification.checked, source?.checked ?? 'source not compared', ...alone];
  for (const line of checked) say(`ok  ${line}`);
  say(
    `verified: run ${document.runId} of ${document.finishedAt}, tree ${document.plan.source.tree}; nothing is signed, so this says what follows from the observations, not who made them`,
  );
}

function verify(place: EvidencePlace): Verification {
  return place.kind === 'file' ? verifyDocument(place.content) : verifyFolder(place.files);
}

/** What a tampered file says is shown, and cannot steer the terminal. */
function shown({ code, detail }: Finding): string {
  return `${code}: ${oneLine(visibleText(detail), lineCharacters)}`;
}

function refused(first: Finding | undefined, count: number, path: string): GateError {
  const finding = first ?? { code: 'evidence.schema', detail: 'it is none' };
  const more = count > 1 ? `, and ${count - 1} more above` : '';
  const message = `the evidence at ${path} is refused: ${oneLine(visibleText(finding.detail), lineCharacters)}${more}`;
  return new GateError({ layer: 'evidence', code: finding.code, message });
}
