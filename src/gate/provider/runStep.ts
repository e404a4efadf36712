import { againMark } from '../flows/drainAgain.js';
import type { Observation } from '../model/observation.js';
import { flows } from './flowTable.js';
import { openStep, type StepInputs } from './openStep.js';

/**
 * Runs one layer of one run to its end and keeps what it saw; from then on that must stay as it is, until the evidence. Safe to repeat
 * after a kill. Throws `GateError`, redacted.
 */
export function runStep(inputs: StepInputs): Promise<Observation> {
  const { layer, runId, plan, again } = inputs;
  const started = new Date();
  return openStep(inputs, async (context, session) => {
    const { run, redactor, progress, deadline } = context;
    const { pins } = session;
    await run.writeMark('started', { runId, fingerprint: plan.fingerprint, source: plan.source });
    await run.writeMark('plan', plan);
    if (again !== undefined) await run.writeMark(againMark(layer), again);
    progress('starting');
    await pins.restore(run, runId);
    // What an earlier go at this layer saw is what it is about to look at anew.
    pins.unpin(layer);
    // A run that goes on after a kill looks at once whether what it proved before is still there.
    if (!pins.isEmpty()) await context.watch();
    const facts = await flows[layer](context);
    const observation = {
      schema: 'raygate.observation/1',
      layer,
      runId,
      startedAt: started.toISOString(),
      seconds: Math.round(deadline.elapsedSeconds() * 1000) / 1000,
      facts,
    } as Observation;
    await context.assertHolds();
    await run.writeObservation(JSON.parse(redactor.clean(JSON.stringify(observation))) as Observation);
    pins.pin(observation);
    if (layer === 'evidence') await session.end();
    progress(`passed in ${observation.seconds.toFixed(1)} s`);
    return observation;
  });
}
