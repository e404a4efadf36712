/** What the Pulumi program needs of the gate: the source's pin, preflight, and the steps that stand between phases. */
export { type PinnedSource, pinSource } from './flows/pinSource.js';
export { type PreflightOptions, type PreflightResult, preflight } from './flows/preflight.js';
export { evidenceLinesPath, evidencePath } from './flows/stateFolder.js';
export type { RunPlan, StepLayer } from './model/plan.js';
export type { RunDecision } from './model/runDecision.js';
export { GateStep } from './steps/gateStep.js';
