import { isGateError } from '../../core/gateError.js';
import { forgetFailure, noteFailure } from '../flows/failureReport.js';
import { takeLayerTime } from '../flows/layerTime.js';
import { runFolder } from '../flows/stateFolder.js';
import type { Observation } from '../model/observation.js';
import { cleaned } from '../report/cleaned.js';
import { flows } from './flowTable.js';
import { openStep, type StepInputs } from './openStep.js';
import { waitLog } from './waitLog.js';

/**
 * Runs one layer of one run to its end and keeps what it saw, or why it failed. Safe to repeat after a kill. Throws `GateError`,
 * redacted.
 */
export async function runStep(inputs: StepInputs): Promise<Observation> {
  const { layer, runId, plan } = inputs;
  const waits = waitLog();
  const time = takeLayerTime(waits.entries);
  await besideTheWork(inputs, () => forgetFailure(inputs));
  try {
    return await openStep(
      inputs,
      async (context) => {
        const { run, redactor, progress } = context;
        await run.writeMark('started', { runId, fingerprint: plan.fingerprint, source: plan.source });
        progress('starting');
        const facts = await flows[layer](context);
        const observation = { schema: 'raygate.observation/1', layer, runId, ...time(), facts } as Observation;
        await run.writeObservation(cleaned(observation, redactor.clean));
        progress(`passed in ${observation.seconds.toFixed(1)} s`);
        return observation;
      },
      waits.add,
    );
  } catch (error) {
    if (isGateError(error)) await besideTheWork(inputs, () => noteFailure(inputs, error, time()));
    throw error;
  }
}

/** A report that cannot be written (a full disk) must not hide what the layer itself finds; the run's log says so, if it can. */
async function besideTheWork({ runId, plan }: StepInputs, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await runFolder(plan.stateFolder, runId)
      .log(`the failure report could not be written: ${reason}`)
      .catch(() => {});
  }
}
