import type { Observation } from '../model/observation.js';
import { flows } from './flowTable.js';
import { openStep, type StepInputs } from './openStep.js';

/** Runs one layer of one run to its end and keeps what it saw. Safe to repeat after a kill. Throws `GateError`, redacted. */
export function runStep(inputs: StepInputs): Promise<Observation> {
  const { layer, runId, plan } = inputs;
  const started = new Date();
  return openStep(inputs, async (context) => {
    const { run, redactor, progress, deadline } = context;
    await run.writeMark('started', { runId, fingerprint: plan.fingerprint, source: plan.source });
    progress('starting');
    const facts = await flows[layer](context);
    const observation = {
      schema: 'raygate.observation/1',
      layer,
      runId,
      startedAt: started.toISOString(),
      seconds: Math.round(deadline.elapsedSeconds() * 1000) / 1000,
      facts,
    } as Observation;
    await run.writeObservation(JSON.parse(redactor.clean(JSON.stringify(observation))) as Observation);
    progress(`passed in ${observation.seconds.toFixed(1)} s`);
    return observation;
  });
}
