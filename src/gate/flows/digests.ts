import { GateError } from '../../core/gateError.js';
import type { LocalImage } from '../../host/docker.js';
import type { Facts, Observation } from '../model/observation.js';
import type { StepLayer } from '../model/plan.js';
import { digestOfImageId, normaliseImage } from '../rules/imageReference.js';
import type { StepContext } from './stepContext.js';

/** What an earlier layer of this run saw; its absence means that the run's folder was lost, and only a new run mends that. */
export async function earlier<L extends StepLayer>(context: StepContext, layer: L): Promise<Facts[L]> {
  const observation: Observation<L> | undefined = await context.run.readObservation(layer);
  if (observation !== undefined && observation.runId === context.runId) return observation.facts;
  throw new GateError({
    layer: context.layer,
    code: `${context.layer}.no-observation`,
    message: `The run ${context.runId} has no observation of layer ${layer} in ${context.run.path}: set raygate:attempt to a new value and run again.`,
  });
}

/**
 * The digests that a container on the application's reference may report: which of the three names of one image the runtime
 * gives depends on the image store.
 */
export async function appDigests(context: StepContext): Promise<Readonly<Record<string, readonly string[]>>> {
  const { app } = await earlier(context, 'images');
  return digestsOf(app);
}

export function digestsOf(image: LocalImage): Readonly<Record<string, readonly string[]>> {
  const named = [image.config, image.manifest, image.index, image.id, ...image.repoDigests.map(digestOfImageId)];
  const digests = named.filter((digest) => digest !== undefined);
  return { [normaliseImage(image.reference) ?? image.reference]: [...new Set(digests)] };
}
