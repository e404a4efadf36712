import type { EvidenceDocument } from './evidence.js';
import { evidenceSections } from './evidenceSections.js';
import type { GateReport, LayerReport } from './gateReport.js';
import { Markup, markup } from './markup.js';
import { pagePolicy, pageStyle } from './pageStyle.js';
import { placed, totalSeconds, waitSeconds } from './timeline.js';

/**
 * The report as one HTML page that needs nothing beside itself: no script, no other file. `document` adds what a proven run saw.
 * The same input gives the same bytes.
 */
export function reportPage(report: GateReport, document?: EvidenceDocument): string {
  const title = `Local KubeRay final gate: ${report.result}`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<main>
<h1>Local KubeRay final gate: <span class="${report.result === 'passed' ? 'good' : 'bad'}">${report.result}</span></h1>
${failures(report)}
${summary(report)}
${timeline(report)}
${waits(report)}
${document && evidenceSections(document)}
<footer class="quiet">
<p>Nothing here is signed. ${footer(document)}</p>
</footer>
</main>
</body>
</html>
`.text;
}

function footer(document: EvidenceDocument | undefined): Markup {
  return document
    ? markup`<code>raygate evidence verify</code> proves that this page follows from evidence.json beside it, and not where that came from.`
    : markup`What a failed run has seen proves nothing.`;
}

function failures({ layers }: GateReport): readonly Markup[] {
  return layers.flatMap(({ failure }) =>
    failure ? markup`<div class="panel bad" role="alert"><p>${failure.line}</p></div>\n` : [],
  );
}

function summary(report: GateReport): Markup {
  const { runId, platform, source, finishedAt } = report;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Run', runId],
    ['Finished', finishedAt],
    ['Took', `${totalSeconds(report).toFixed(1)} s`],
    ['Platform', platform],
    ['Commit', source?.commit],
    ['Tree', source?.tree],
  ];
  const shown = rows.flatMap(([name, value]) =>
    value === undefined ? [] : markup`<dt>${name}</dt><dd class="code">${value}</dd>\n`,
  );
  return markup`<div class="panel"><dl>\n${shown}</dl></div>`;
}

function timeline(report: GateReport): Markup {
  const total = Math.max(totalSeconds(report), 0.001);
  return markup`<section aria-labelledby="timeline">
<h2 id="timeline">Layers</h2>
<table class="timeline">
<caption>When each layer worked, in seconds since the run began.</caption>
<thead><tr><th scope="col">Layer</th><th scope="col">Timeline</th><th scope="col" class="number start">From</th><th scope="col" class="number">Took</th><th scope="col">Result</th></tr></thead>
<tbody>
${report.layers.map((layer) => timelineRow(layer, report, total))}</tbody>
</table>
</section>`;
}

const resultWords = { passed: 'passed', failed: 'failed', 'not-run': 'not run' } as const;
const resultClass = { passed: 'good', failed: 'bad', 'not-run': 'quiet' } as const;

function timelineRow(layer: LayerReport, report: GateReport, total: number): Markup {
  const place = layer.time && placed(layer.time, report);
  const result = markup`<td class="${resultClass[layer.result]}">${resultWords[layer.result]}</td>`;
  const name = markup`<th scope="row" class="name">${layer.layer}</th>`;
  if (!place)
    return markup`<tr>${name}<td class="bar"></td><td class="number start"></td><td class="number"></td>${result}</tr>\n`;
  const took = place.endSeconds - place.startSeconds;
  const scale = (seconds: number) => ((seconds / total) * 1000).toFixed(1);
  // At least a hair, so that what took no time is seen.
  const width = Math.max(took, total / 125);
  const x = Math.min(place.startSeconds, total - width);
  return markup`<tr>${name}<td class="bar"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="1000" height="10"/><rect class="${layer.result}" x="${scale(x)}" width="${scale(width)}" height="10"/></svg></td><td class="number start">${place.startSeconds.toFixed(1)}</td><td class="number">${took.toFixed(1)} s</td>${result}</tr>\n`;
}

function waits({ layers }: GateReport): Markup {
  const lists = layers.flatMap((layer) => {
    const { time } = layer;
    return time && time.waits.length > 0 ? layerWaits(layer, waitSeconds(time)) : [];
  });
  return markup`<section aria-labelledby="waits">
<h2 id="waits">What was waited for</h2>
${lists.length > 0 ? lists : markup`<p class="quiet">Nothing was written down.</p>`}
</section>`;
}

function layerWaits({ layer, result }: LayerReport, all: ReturnType<typeof waitSeconds>): Markup {
  const longest = all.reduce((most, wait) => (wait.seconds > most.seconds ? wait : most));
  const items = all.map(
    (wait) =>
      markup`<li><span class="number quiet">${wait.seconds.toFixed(1)} s</span><span>${wait.line}</span></li>\n`,
  );
  const open = result === 'failed' ? markup` open` : undefined;
  return markup`<details${open}>
<summary><strong>${layer}</strong> <span class="quiet">longest, ${longest.seconds.toFixed(1)} s:</span> ${longest.line}</summary>
<ol>
${items}</ol>
</details>
`;
}
