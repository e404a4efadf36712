import { deadlineIn } from '../../core/deadline.js';
import { awaitDrained } from '../flows/drain.js';
import { removeSetupJob } from '../flows/setup.js';
import type { StepContext } from '../flows/stepContext.js';
import { openStep, type StepInputs } from './openStep.js';
import { endSession } from './session.js';

/**
 * What a layer does when its stack is destroyed. The evidence is what everything else comes before, so it goes first: it waits
 * until no accepted work is left, and a destroy ends there when some is. The setup Job is its step's own. The drain is what everything
 * else comes after, so it goes last, and the Lease with it. The other layers are proofs, not things.
 */
const removals: Readonly<Partial<Record<StepInputs['layer'], (context: StepContext) => Promise<void>>>> = {
  evidence: async (context) => {
    if (context.plan.drain === 'wait') await awaitDrained(context, deadlineIn(context.plan.deadlines['drain'] ?? 900));
  },
  setup: removeSetupJob,
};

export async function removeStep(inputs: StepInputs): Promise<void> {
  const removal = removals[inputs.layer];
  if (removal !== undefined) await openStep(inputs, removal);
  if (inputs.layer === 'drain') await endSession(inputs.plan, inputs.runId);
}
