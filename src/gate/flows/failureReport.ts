import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failureLine } from '../../core/failureLine.js';
import type { GateError } from '../../core/gateError.js';
import { writeWholeFolder } from '../../host/wholeFolder.js';
import type { LayerTime } from '../model/observation.js';
import { type RunPlan, type StepLayer, stepLayers } from '../model/plan.js';
import { failureFiles } from '../report/evidenceFiles.js';
import { failureContents } from '../report/failureContents.js';
import { reportOfRun, type StepFailure } from '../report/runReport.js';
import { preflightMark } from './evidenceReport.js';
import { failureFolder, readJson, runFolder } from './stateFolder.js';

interface StepOfRun {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
}

const failureMark = (layer: StepLayer) => `${layer}.failure`;

/** Before a step works: what it left when it failed earlier holds no more, nor does the report of another run. */
export function forgetFailure({ layer, runId, plan }: StepOfRun): Promise<void> {
  return inTurn(async () => {
    await runFolder(plan.stateFolder, runId).removeMark(failureMark(layer));
    await refresh(runId, plan);
  });
}

/** Keeps why a step failed, already redacted and bounded, and writes the report of the run so far. */
export function noteFailure(step: StepOfRun, error: GateError, time: LayerTime): Promise<void> {
  const { layer, runId, plan } = step;
  return inTurn(async () => {
    const failure: StepFailure = { layer, code: error.code, line: failureLine(error), time };
    await runFolder(plan.stateFolder, runId).writeMark(failureMark(layer), failure);
    await refresh(runId, plan);
  });
}

export interface FailurePlace {
  readonly stateFolder: string;
  readonly platform: string;
  readonly source: { readonly commit: string; readonly tree: string };
}

/** Why preflight refused: there is no run yet. */
export function reportPreflightFailure(place: FailurePlace, error: GateError, time: LayerTime): Promise<void> {
  return reportFailure(place, { layer: 'preflight', code: error.code, line: failureLine(error), time });
}

/** A failure outside of every run. */
export async function reportFailure(
  { stateFolder, platform, source }: FailurePlace,
  failure: StepFailure,
): Promise<void> {
  const finishedAt = failure.time.endedAt;
  const report = reportOfRun({ platform, source, finishedAt, observations: [], failures: [failure] });
  await writeWholeFolder(failureFolder(stateFolder), failureContents(report));
}

/** What an earlier run reported is not this one's. */
export function forgetReport(stateFolder: string): Promise<void> {
  return rm(failureFolder(stateFolder), { recursive: true, force: true });
}

/** The report says what the run's folder holds; without a failure in it there is none. */
async function refresh(runId: string, plan: RunPlan): Promise<void> {
  const run = runFolder(plan.stateFolder, runId);
  const marks = await Promise.all(stepLayers.map((layer) => run.readMark<StepFailure>(failureMark(layer))));
  const failures = marks.filter((mark) => mark !== undefined);
  if (failures.length === 0) return forgetReport(plan.stateFolder);
  const seen = await Promise.all(stepLayers.map((layer) => run.readObservation(layer)));
  const report = reportOfRun({
    runId,
    platform: plan.platform,
    source: plan.source,
    finishedAt: new Date().toISOString(),
    preflight: await run.readMark<LayerTime>(preflightMark),
    observations: seen.filter((observation) => observation !== undefined),
    failures,
  });
  await writeWholeFolder(failureFolder(plan.stateFolder), failureContents(report));
}

/** The lines of the failures that the report of the last run names; undefined when there is no report. */
export async function readFailure(stateFolder: string): Promise<readonly string[] | undefined> {
  const report = await readJson<ReturnType<typeof reportOfRun>>(join(failureFolder(stateFolder), failureFiles.report));
  return report?.layers.flatMap(({ failure }) => (failure ? [failure.line] : []));
}

/** Steps of one process work side by side, and their reports are one folder. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const next = turn.then(act, act);
  turn = next.catch(() => {});
  return next;
}
