import type { GateReport, LayerReport } from './gateReport.js';
import { type Markup, markup } from './markup.js';
import { totalSeconds } from './timeline.js';

/** The report as JUnit XML: one test case a layer, in the order of the gate, its time in seconds, its failure in one line. */
export function junitXml(report: GateReport): string {
  const { layers } = report;
  const counted = (result: LayerReport['result']) => layers.filter((layer) => layer.result === result).length;
  const counts = markup`tests="${layers.length}" failures="${counted('failed')}" errors="0" skipped="${counted('not-run')}" time="${seconds(totalSeconds(report))}"`;
  const started = layers.flatMap(({ time }) => time?.startedAt ?? []).sort()[0] ?? report.finishedAt;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="raygate" ${counts}>
  <testsuite name="gate" timestamp="${started}" ${counts}>
    <properties>
${properties(report)}    </properties>
${layers.map(testCase)}  </testsuite>
</testsuites>
`.text;
}

function properties({ runId, platform, source }: GateReport): readonly Markup[] {
  const given = { run: runId, platform, commit: source?.commit, tree: source?.tree };
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : markup`      <property name="${name}" value="${value}"/>\n`,
  );
}

function testCase({ layer, result, time, failure }: LayerReport): Markup {
  const attributes = markup`classname="raygate.gate" name="${layer}"${time && markup` time="${seconds(time.seconds)}"`}`;
  if (result === 'passed') return markup`    <testcase ${attributes}/>\n`;
  const inner =
    result === 'not-run'
      ? markup`<skipped message="did not run to its end"/>`
      : markup`<failure type="${failure?.code ?? 'unknown'}" message="${oneLine(failure?.line)}">${oneLine(failure?.line)}</failure>`;
  return markup`    <testcase ${attributes}>${inner}</testcase>\n`;
}

function oneLine(text = 'it failed without a reason'): string {
  return text.replace(/\s+/g, ' ');
}

function seconds(value: number): string {
  return value.toFixed(3);
}
