import type { StepContext } from '../../src/gate/flows/stepContext.js';
import { digestA } from '../builders/pods.js';
import { appReference } from '../builders/step.js';

/** Keeps an application image of digest A as what this run's layer `images` built. */
export async function provenImages(context: StepContext): Promise<void> {
  const image = {
    reference: appReference,
    id: digestA,
    index: undefined,
    manifest: undefined,
    config: digestA,
    tags: [],
    repoDigests: [],
    labels: {},
    configLabels: {},
    sizeBytes: 1,
    built: true,
  };
  await context.run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'images',
    runId: context.runId,
    startedAt: '',
    endedAt: '',
    seconds: 0,
    waits: [],
    facts: { app: image, legacy: { ...image, reference: 'django-ray-worker:tree-1' } },
  });
}
