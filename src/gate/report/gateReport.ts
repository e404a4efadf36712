import { layers as layerOrder } from '../../core/gateError.js';
import type { LayerTime } from '../model/observation.js';
import type { EvidenceDocument } from './evidence.js';

/** What became of one layer. */
export interface LayerReport {
  readonly layer: string;
  readonly result: 'passed' | 'failed' | 'not-run';
  /** Absent where the layer did not run, or nobody took its time. */
  readonly time?: LayerTime;
  readonly failure?: LayerFailure;
}

export interface LayerFailure {
  /** `ray.pod-not-owned`. */
  readonly code: string;
  /** The one line that the user sees: `FAILED [ray]: …`. */
  readonly line: string;
}

/** What a run of the gate came to, as the JUnit file and the page say it. */
export interface GateReport {
  readonly result: 'passed' | 'failed';
  /** Absent when preflight failed before it was known which run it is. */
  readonly runId?: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  readonly platform?: string;
  readonly source?: { readonly commit: string; readonly tree: string };
  /** In the order of the gate. */
  readonly layers: readonly LayerReport[];
}

export function reportOfEvidence(document: EvidenceDocument): GateReport {
  const { runId, finishedAt, platform, plan, preflight, observations, evidence } = document;
  const times: [string, LayerTime][] = [
    ...(preflight ? [['preflight', preflight] as [string, LayerTime]] : []),
    ...Object.values(observations).map(({ layer, ...time }): [string, LayerTime] => [layer, timeOf(time)]),
    ['evidence', evidence],
  ];
  const layers = times.map(([layer, time]) => ({ layer, result: 'passed', time }) as const);
  const { commit, tree } = plan.source;
  return { result: 'passed', runId, finishedAt, platform, source: { commit, tree }, layers: inOrder(layers) };
}

export function inOrder(layers: readonly LayerReport[]): readonly LayerReport[] {
  const place = (layer: string) => (layerOrder as readonly string[]).indexOf(layer);
  return [...layers].sort((a, b) => place(a.layer) - place(b.layer));
}

export function timeOf({ startedAt, endedAt, seconds, waits }: LayerTime): LayerTime {
  return { startedAt, endedAt, seconds, waits };
}
