import type { RunPlan, StepLayer } from '../model/plan.js';
import type { RunDecision } from '../model/runDecision.js';
import { runFolder } from './stateFolder.js';

/** Where a step keeps the value that it was run again for. */
export const againMark = (layer: StepLayer) => `${layer}-again`;

/**
 * What the drain is run again for, if it is. A run that goes on after a kill goes on after any time, and what Pulumi itself applies
 * next (prerequisites, managers) has no look at accepted work right before it: so the drain, which everything comes after, looks once
 * more, until everything is applied. From then on the value stays as it is, so that the drain does not run.
 */
export async function drainAgain(plan: RunPlan, decision: RunDecision): Promise<string | undefined> {
  if (decision.kind === 'new') return undefined;
  const run = runFolder(plan.stateFolder, decision.runId);
  const isApplied = (await run.readObservation('rollouts')) !== undefined;
  if (decision.kind === 'continued' && !isApplied) return new Date().toISOString();
  return run.readMark<string>(againMark('drain'));
}
