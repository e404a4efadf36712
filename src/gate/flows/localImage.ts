import { GateError, type Layer } from '../../core/gateError.js';
import { inspectImage, type LocalImage } from '../../host/docker.js';
import { isProcessFailure } from '../../host/process.js';
import type { RunPlan } from '../model/plan.js';
import { imageDigestsOf } from './imageDigestsCache.js';
import { dockerOf } from './images.js';

/**
 * What the local Docker store has under a reference, resolved down to the configuration; undefined when it has nothing there.
 * A store that cannot be read is no store that lacks the image.
 * @throws GateError `LAYER.docker-unreadable`
 */
export async function readLocalImage(plan: RunPlan, reference: string, layer: Layer): Promise<LocalImage | undefined> {
  try {
    const inspected = await inspectImage(dockerOf(plan), reference, plan.deadlines['command'] ?? 120);
    return inspected && { ...inspected, ...(await imageDigestsOf(plan, reference, inspected.id)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new GateError({
      layer,
      code: `${layer}.docker-unreadable`,
      message: `The image ${reference} cannot be read from Docker: ${why}`,
      retryable: isProcessFailure(error),
    });
  }
}
