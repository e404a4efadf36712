import { deadlineIn } from '../../core/deadline.js';
import { isGateError } from '../../core/gateError.js';
import type { Facts } from '../model/observation.js';
import { type StepLayer, stepLayers } from '../model/plan.js';
import { type LayerFacts, pinsOfLayers } from '../rules/layerPins.js';
import { seenPins } from '../rules/preservedPins.js';
import { digestsOf, earlier } from './digests.js';
import { readOutsidePins } from './outsidePins.js';
import { awaitPostgres, lookAtPostgres } from './postgresIdentity.js';
import { readPreserved } from './preserved.js';
import { judging, wholeReading } from './readings.js';
import type { StepContext } from './stepContext.js';
import { judgeUnchanged } from './unchanged.js';

/** Seconds in which a pod that is merely unready for a moment may become Ready again. */
const settleSeconds = 60;

/**
 * After all checks, everything once more at one moment: source, kubeconfig, images, and one confirming list of who runs. Anything
 * other than what a layer pinned fails at once and voids the run: the next one starts anew.
 */
export function runFinalIdentity(context: StepContext): Promise<Facts['final-identity']> {
  return voiding(context, () => confirmUnchanged(context, 'final-identity'));
}

/** Compares what lives with what every layer before `before` pinned. */
export async function confirmUnchanged(context: StepContext, before: StepLayer): Promise<Facts['final-identity']> {
  const { plan } = context;
  const facts = await readFacts(context, stepLayers.slice(0, stepLayers.indexOf(before)));
  const pinned = pinsOfLayers(plan, facts);
  // What could be read before must be readable again; what could not is looked at once.
  const mustAnswer = facts.drain.before.postgres.kind === 'observed';
  const asFinal = { ...context, layer: 'final-identity' } as const;
  const postgres = await (mustAnswer ? awaitPostgres(asFinal) : lookAtPostgres(asFinal));
  const after = await readPreserved(asFinal, postgres);
  const expected = {
    digests: digestsOf(facts.images.app),
    rayClusterUid: facts.ray.clusterUid,
    pinned,
    outside: [...(await readOutsidePins(plan)), ...seenPins(after)],
  };
  const store = await context.watch();
  const unchanged = await store.until(
    judging(wholeReading, (reading) => judgeUnchanged(reading, plan, expected)),
    {
      deadline: deadlineIn(Math.min(settleSeconds, context.deadline.remainingMs() / 1000)),
      layer: 'final-identity',
      onProgress: context.progress,
      confirm: true,
    },
  );
  return { ...unchanged, after, compared: pinned.map(({ layer }) => layer) };
}

/** Runs `act`; what it finds changed voids the run, what could merely not be read just now does not. */
export async function voiding<T>(context: StepContext, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isGateError(error) && error.retryable) throw error;
    await context.run.writeMark('void', {
      reason: error instanceof Error ? context.redactor.clean(error.message) : 'unknown',
    });
    throw error;
  }
}

async function readFacts(
  context: StepContext,
  layers: readonly StepLayer[],
): Promise<LayerFacts & Pick<Facts, 'images' | 'drain' | 'ray'>> {
  const found: Record<string, unknown> = {};
  for (const layer of layers) found[layer] = await earlier(context, layer);
  return found as LayerFacts & Pick<Facts, 'images' | 'drain' | 'ray'>;
}
