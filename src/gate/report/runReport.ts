import { type Layer, layers as layerOrder } from '../../core/gateError.js';
import type { LayerTime, Observation } from '../model/observation.js';
import { stepLayers } from '../model/plan.js';
import { type GateReport, inOrder, type LayerFailure, type LayerReport, timeOf } from './gateReport.js';

/** What a step leaves in its run's folder when it failed. */
export interface StepFailure extends LayerFailure {
  readonly layer: Layer;
  readonly time: LayerTime;
}

export interface RunSoFar {
  readonly runId?: string;
  readonly platform: string;
  readonly source: { readonly commit: string; readonly tree: string };
  readonly finishedAt: string;
  readonly preflight?: LayerTime | undefined;
  readonly observations: readonly Observation[];
  readonly failures: readonly StepFailure[];
}

/** The report of a run that has failed somewhere: each layer with its failure, its time when it passed, or that it did not run. */
export function reportOfRun(run: RunSoFar): GateReport {
  const { runId, platform, source, finishedAt, preflight, observations, failures } = run;
  const failed: readonly LayerReport[] = failures.map(({ layer, time, code, line }) => ({
    layer,
    result: 'failed',
    time,
    failure: { code, line },
  }));
  const passed: readonly LayerReport[] = [
    ...(preflight ? [{ layer: 'preflight', result: 'passed' as const, time: preflight }] : []),
    ...observations.map((seen) => ({ layer: seen.layer, result: 'passed' as const, time: timeOf(seen) })),
  ];
  const known = new Map([...passed, ...failed].map((layer) => [layer.layer, layer]));
  const expected: readonly string[] = ['preflight', ...stepLayers];
  const others = layerOrder.filter((layer) => known.has(layer) && !expected.includes(layer));
  const layers = [...expected, ...others].map((layer): LayerReport => known.get(layer) ?? { layer, result: 'not-run' });
  return {
    result: 'failed',
    ...(runId === undefined ? {} : { runId }),
    finishedAt,
    platform,
    source: { commit: source.commit, tree: source.tree },
    layers: inOrder(layers),
  };
}
