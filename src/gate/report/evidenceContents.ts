import type { EvidenceDocument } from './evidence.js';
import { evidenceFiles } from './evidenceFiles.js';
import { evidenceIndex } from './evidenceIndex.js';
import { reportOfEvidence } from './gateReport.js';
import { junitXml } from './junit.js';
import { reportPage } from './page.js';
import { inTotoStatement } from './statement.js';

/** The files that follow from the text of an evidence file and what it holds, by name. The same input gives the same bytes. */
export function derivedFiles(document: EvidenceDocument, text: string): ReadonlyMap<string, string> {
  const report = reportOfEvidence(document);
  return new Map([
    [evidenceFiles.lines, `${document.lines.join('\n')}\n`],
    [evidenceFiles.statement, inTotoStatement(document, text)],
    [evidenceFiles.junit, junitXml(report)],
    [evidenceFiles.page, reportPage(report, document)],
  ]);
}

/** All files of a proven run, the index among them. */
export function evidenceContents(document: EvidenceDocument): ReadonlyMap<string, string> {
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  const files = new Map([[evidenceFiles.document as string, text], ...derivedFiles(document, text)]);
  return new Map([...files, [evidenceFiles.index, evidenceIndex(document.runId, files)]]);
}
