import { failureLine } from '../../core/gateError.js';
import type { StepInputs } from './openStep.js';
import { endWhenOrphaned } from './orphanGuard.js';
import { removeStep } from './removeStep.js';
import { runStep } from './runStep.js';

/**
 * What Pulumi's plugin process loads: a dynamic provider's methods, reached through the forwarder that `steps/` serialises into
 * state. A step that fails after acting keeps its state (`id`, `properties` with `__provider`), so that its dependents stop and
 * the next `up` tries again.
 */
export type PluginInputs = StepInputs & { readonly __provider?: string };

export async function create(inputs: PluginInputs): Promise<{ id: string; outs: Record<string, unknown> }> {
  const id = `${inputs.layer}`;
  return { id, outs: await act(id, inputs) };
}

export async function update(
  id: string,
  _olds: PluginInputs,
  news: PluginInputs,
): Promise<{ outs: Record<string, unknown> }> {
  return { outs: await act(id, news) };
}

/** A step runs again when the run is another one, or when the program asks for it once more, and for no other reason. */
export async function diff(_id: string, olds: PluginInputs, news: PluginInputs): Promise<{ changes: boolean }> {
  return { changes: olds.runId !== news.runId || olds.again !== news.again };
}

/** Part of a destroy. What it throws ends the destroy before anything that the step depends on is touched. */
export async function remove(_id: string, props: PluginInputs): Promise<void> {
  endWhenOrphaned();
  try {
    await removeStep(props);
  } catch (error) {
    throw new Error(failureLine(error));
  }
}

async function act(id: string, inputs: PluginInputs): Promise<Record<string, unknown>> {
  endWhenOrphaned();
  try {
    const { seconds, startedAt } = await runStep(inputs);
    return { ...inputs, startedAt, seconds };
  } catch (error) {
    throw new StepFailure(id, failureLine(error), inputs);
  }
}

/** The shape that the plugin host turns into an initialisation error of the resource. */
class StepFailure extends Error {
  readonly reasons: readonly string[];
  readonly properties: PluginInputs;
  constructor(
    readonly id: string,
    reason: string,
    inputs: PluginInputs,
  ) {
    super(reason);
    this.reasons = [reason];
    this.properties = inputs;
  }
}
