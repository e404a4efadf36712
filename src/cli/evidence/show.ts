import { oneLine } from '../../core/boundedText.js';
import { GateError } from '../../core/gateError.js';
import { type EvidenceDocument, sourcesOf } from '../../gate/report/evidence.js';
import { evidenceFiles } from '../../gate/report/evidenceFiles.js';
import { evidenceValues } from '../../gate/report/evidenceLines.js';
import { evidenceRows } from '../../gate/report/evidenceRows.js';
import { readEvidence } from '../../gate/report/evidenceSchema.js';
import { type GateReport, reportOfEvidence } from '../../gate/report/gateReport.js';
import { placed, totalSeconds, waitSeconds } from '../../gate/report/timeline.js';
import { visibleText } from '../../gate/report/visibleText.js';
import { readEvidencePlace } from './readFiles.js';

/** What an evidence says, for a terminal: layers with their times, and each key whole with what it rests on. Nothing is checked. */
export async function showEvidence(path: string): Promise<readonly string[]> {
  const place = await readEvidencePlace(path);
  const content = place.kind === 'file' ? place.content : place.files.get(evidenceFiles.document);
  const reading = readEvidence(content?.toString('utf8') ?? '');
  if (!reading.ok) {
    const message = `${place.path} holds no evidence that can be shown: ${reading.problems[0] ?? 'it is empty'}`;
    throw new GateError({ layer: 'evidence', code: 'evidence.schema', message: oneLine(visibleText(message), 400) });
  }
  return evidenceText(reading.document).map((line) => visibleText(line.replaceAll('\n', '\\n')));
}

export function evidenceText(document: EvidenceDocument): readonly string[] {
  const report = reportOfEvidence(document);
  const { commit, tree } = document.plan.source;
  return [
    `run ${document.runId}, finished ${document.finishedAt}, took ${totalSeconds(report).toFixed(1)} s, platform ${document.platform}`,
    `commit ${commit}`,
    `tree   ${tree}`,
    '',
    ...layerLines(report),
    '',
    ...keyLines(document),
  ];
}

function layerLines(report: GateReport): readonly string[] {
  const width = Math.max(...report.layers.map(({ layer }) => layer.length));
  return report.layers.map(({ layer, time }) => {
    if (!time) return layer;
    const place = placed(time, report);
    const seconds = (value: number) => value.toFixed(1).padStart(7);
    const longest = [...waitSeconds(time)].sort((a, b) => b.seconds - a.seconds)[0];
    const wait = longest ? `  longest: ${longest.seconds.toFixed(1)} s, ${longest.line}` : '';
    return `${layer.padEnd(width)} from ${seconds(place.startSeconds)} took ${seconds(time.seconds)} s${wait}`;
  });
}

function keyLines(document: EvidenceDocument): readonly string[] {
  const values = evidenceValues(sourcesOf(document));
  const width = Math.max(...evidenceRows.map(({ key }) => key.length));
  return evidenceRows.map(
    ({ key, restsOn }) =>
      `${key.padEnd(width)}  ${values.get(key)}${restsOn.length > 0 ? `  (${restsOn.join(', ')})` : ''}`,
  );
}
