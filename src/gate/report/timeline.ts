import type { LayerTime, Wait } from '../model/observation.js';
import type { GateReport } from './gateReport.js';

/** From the first layer's start to the end of the run, on the wall. */
export function totalSeconds(report: GateReport): number {
  const span = spanOf(report);
  return (span.endMs - span.startMs) / 1000;
}

/** Where a layer stands on the line of the run: seconds since its start. */
export interface Placed {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** The end is the start and the layer's own seconds: the clock on the wall may have been set meanwhile. */
export function placed(time: LayerTime, report: GateReport): Placed {
  const startSeconds = (Date.parse(time.startedAt) - spanOf(report).startMs) / 1000;
  return { startSeconds, endSeconds: startSeconds + time.seconds };
}

/** A wait and how long it lasted: until the next line, or the layer's end. Never negative. */
export function waitSeconds(time: LayerTime): readonly (Wait & { readonly seconds: number })[] {
  return time.waits.map((wait, at) => {
    const until = time.waits[at + 1]?.at ?? time.endedAt;
    return { ...wait, seconds: Math.max(0, (Date.parse(until) - Date.parse(wait.at)) / 1000) };
  });
}

function spanOf({ layers, finishedAt }: GateReport): { readonly startMs: number; readonly endMs: number } {
  const times = layers.flatMap(({ time }) => time ?? []);
  const startMs = Math.min(Date.parse(finishedAt), ...times.map((time) => Date.parse(time.startedAt)));
  const endMs = Math.max(Date.parse(finishedAt), ...times.map((time) => Date.parse(time.endedAt)));
  return { startMs, endMs };
}
