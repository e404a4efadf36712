import { isClusterError } from '../../cluster/clusterError.js';
import { oneLine, textBounds } from '../../core/boundedText.js';
import { deadlineIn } from '../../core/deadline.js';
import { GateError, isGateError } from '../../core/gateError.js';
import { runFolder } from '../flows/stateFolder.js';
import type { StepContext } from '../flows/stepContext.js';
import type { Observation } from '../model/observation.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { flows, layerSeconds } from './flowTable.js';
import { openSession } from './session.js';

export interface StepInputs {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
}

/** A line on a terminal; the run's log has it whole. */
const progressCharacters = 240;

/** Runs one layer of one run to its end and keeps what it saw. Safe to repeat after a kill. Throws `GateError`, redacted. */
export async function runStep(inputs: StepInputs): Promise<Observation> {
  const { layer, runId, plan } = inputs;
  const run = runFolder(plan.stateFolder, runId);
  const started = new Date();
  const deadline = deadlineIn(layerSeconds(layer, plan.deadlines));
  let clean = (text: string) => text;
  let last = '';
  const log = (text: string) => void run.log(text).catch(() => {}); // a full disk must not hide what the layer itself finds
  const say = (line: string) => {
    const text = clean(`[${layer}] ${line}`);
    if (text === last) return;
    last = text;
    process.stderr.write(`${oneLine(text, progressCharacters)}\n`);
    log(text);
  };
  try {
    const session = await openSession(plan, runId);
    clean = session.redactor.clean;
    await run.writeMark('started', { runId, fingerprint: plan.fingerprint, source: plan.source });
    say('starting');
    const { cluster, redactor, watch } = session;
    const context: StepContext = { layer, runId, plan, cluster, watch, deadline, redactor, run, progress: say };
    const facts = await flows[layer](context);
    const observation = {
      schema: 'raygate.observation/1',
      layer,
      runId,
      startedAt: started.toISOString(),
      seconds: Math.round(deadline.elapsedSeconds() * 1000) / 1000,
      facts,
    } as Observation;
    await run.writeObservation(JSON.parse(clean(JSON.stringify(observation))) as Observation);
    say(`passed in ${observation.seconds.toFixed(1)} s`);
    return observation;
  } catch (error) {
    const failure = asGateError(error, layer, clean);
    log(`[${layer}] failed: ${failure.message} (${failure.code})`);
    throw failure;
  }
}

function asGateError(error: unknown, layer: StepLayer, cleanText: (text: string) => string): GateError {
  const clean = (text: string) => oneLine(cleanText(text), textBounds.secondaryContext.characters);
  if (isGateError(error)) {
    return new GateError({
      layer: error.layer,
      code: error.code,
      message: clean(error.message),
      retryable: error.retryable,
    });
  }
  const code = isClusterError(error) ? `${layer}.${error.code}` : `${layer}.internal`;
  const message = clean(error instanceof Error ? error.message : String(error));
  return new GateError({ layer, code, message, retryable: isClusterError(error) && error.retryable });
}
