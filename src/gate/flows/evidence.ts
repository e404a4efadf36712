import type { Facts } from '../model/observation.js';
import { stepLayers } from '../model/plan.js';
import type { Observations } from '../report/evidence.js';
import { earlier } from './digests.js';
import { writeEvidence } from './evidenceReport.js';
import { confirmUnchanged, voiding } from './finalIdentity.js';
import type { StepContext } from './stepContext.js';

/**
 * Composes the evidence of what each layer of the run saw. A kill may have come between final-identity and this step, and any
 * time may have passed: so it is written only if nothing is other than it was then either.
 */
export function runEvidence(context: StepContext): Promise<Facts['evidence']> {
  return voiding(context, async () => {
    const observations = await readObservations(context);
    const { identity } = await confirmUnchanged(context, 'evidence');
    return writeEvidence(context, observations, identity);
  });
}

async function readObservations(context: StepContext): Promise<Observations> {
  const found: Record<string, unknown> = {};
  for (const layer of stepLayers) {
    if (layer === 'evidence') continue;
    await earlier(context, layer);
    found[layer] = await context.run.readObservation(layer);
  }
  return found as Observations;
}
