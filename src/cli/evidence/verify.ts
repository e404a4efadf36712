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
  /** The git tree of the program that verifies; undefined: not known, so that it counts as the one that made the evidence. */
  readonly programTree?: string | undefined;
  readonly say: (line: string) => void;
}

/** What is rendered from an evidence, in a form that may be another in another version of the program. */
const renderings = ['evidence.statement', 'evidence.junit', 'evidence.page'];

const lineCharacters = 400;

/**
 * Checks an evidence and says each thing that was looked at, or is wrong, in a line.
 * @throws GateError `evidence.*`, the first thing that is wrong; `usage` when there is nothing to check
 */
export async function verifyEvidence({ path, checkout, programTree, say }: VerifyOptions): Promise<void> {
  const place = await readEvidencePlace(path);
  const verification = ofVersion(verify(place), programTree);
  const { document } = verification;
  const source = document && checkout !== undefined ? await verifyCheckout(document, checkout) : undefined;
  const isRendering = ({ code }: Finding) => renderings.includes(code);
  const findings = [
    ...verification.findings.filter((each) => !isRendering(each)),
    ...(source?.findings ?? []),
    ...verification.findings.filter(isRendering),
  ];
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

/**
 * Another version of the program renders otherwise: where all else of an evidence holds, the digests of its files and its lines with
 * them, and it is of another tree than the program's, renderings that differ are no fault of it. That they were not compared is said.
 */
function ofVersion(verification: Verification, programTree: string | undefined): Verification {
  const { document, findings, checked } = verification;
  const ofAnother = document !== undefined && programTree !== undefined && document.plan.source.tree !== programTree;
  if (!ofAnother || findings.length === 0 || !findings.every(({ code }) => renderings.includes(code)))
    return verification;
  const notAnew = 'text made anew; made by another version of raygate: its page and reports were not made anew';
  return { document, findings: [], checked: [...checked.slice(0, -1), notAnew] };
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
