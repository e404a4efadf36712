import { failureFiles } from './evidenceFiles.js';
import type { GateReport } from './gateReport.js';
import { junitXml } from './junit.js';
import { reportPage } from './page.js';

/** The files that tell of a failed run, by name. None of them can be taken for an evidence. */
export function failureContents(report: GateReport): ReadonlyMap<string, string> {
  return new Map([
    [failureFiles.report, `${JSON.stringify({ schema: 'raygate.failure/1', ...report }, undefined, 2)}\n`],
    [failureFiles.junit, junitXml(report)],
    [failureFiles.page, reportPage(report)],
  ]);
}
