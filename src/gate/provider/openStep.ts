import { oneLine } from '../../core/boundedText.js';
import { deadlineIn } from '../../core/deadline.js';
import { runFolder } from '../flows/stateFolder.js';
import type { StepContext } from '../flows/stepContext.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { layerSeconds } from './flowTable.js';
import { openSession } from './session.js';
import { stepError } from './stepError.js';

export interface StepInputs {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
}

/** A line on a terminal; the run's log has it whole. */
const progressCharacters = 160;
/** An API server that is away for longer than this ends the step, which may be run again. */
const openingSeconds = 120;

/**
 * Runs `act` with all that a layer works with, under the layer's deadline; `onWait` hears each changed line of progress, redacted
 * and bounded. Throws `GateError`, redacted and bounded.
 */
export async function openStep<T>(
  inputs: StepInputs,
  act: (context: StepContext) => Promise<T>,
  onWait: (line: string) => void = () => {},
): Promise<T> {
  const { layer, runId, plan } = inputs;
  const run = runFolder(plan.stateFolder, runId);
  const deadline = deadlineIn(layerSeconds(layer, plan.deadlines));
  let clean = (text: string) => text;
  let last = '';
  const log = (text: string) => void run.log(text).catch(() => {}); // a full disk must not hide what the layer itself finds
  const progress = (line: string) => {
    const text = clean(`[${layer}] ${line}`);
    const shown = oneLine(text, progressCharacters);
    log(text);
    if (shown === last) return;
    last = shown;
    onWait(shown.slice(`[${layer}] `.length));
    process.stderr.write(`${shown}\n`);
  };
  try {
    const { cluster, redactor, watch: watchShared } = await openSession(plan, runId);
    clean = redactor.clean;
    const watch = () => {
      const opening = deadlineIn(Math.min(openingSeconds, deadline.remainingMs() / 1000));
      return watchShared(opening, layer, () => progress('waiting for the API server to list what is watched'));
    };
    return await act({ layer, runId, plan, cluster, watch, deadline, redactor, run, progress });
  } catch (error) {
    const failure = stepError(error, layer, clean);
    log(`[${layer}] failed: ${failure.message} (${failure.code})`);
    throw failure;
  }
}
