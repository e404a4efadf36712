import { verifySnapshot } from '../../cluster/snapshot.js';
import { GateError, isGateError } from '../../core/gateError.js';
import { inspectImage } from '../../host/docker.js';
import { readSource } from '../../host/git.js';
import { isProcessFailure } from '../../host/process.js';
import type { Pin } from '../model/pin.js';
import type { RunPlan } from '../model/plan.js';
import { imagePin, kubeconfigPin, sourcePin } from '../rules/layerPins.js';
import { dockerOf } from './images.js';

/** What was pinned and is not in the cluster, as it stands: the source, the kubeconfig's snapshot, the release's two tags. */
export async function readOutsidePins(plan: RunPlan): Promise<readonly Pin[]> {
  const { app, legacy } = plan.release;
  const images = [app.reference, legacy.reference].map((reference) => readImagePin(plan, reference));
  return Promise.all([readSourcePin(plan), readKubeconfigPin(plan), ...images]);
}

async function readSourcePin({ source, deadlines }: RunPlan): Promise<Pin> {
  const now = await readSource(source.root, deadlines['command'] ?? 120);
  if (!now.ok) return sourcePin({ state: now.problem.detail });
  const { commit, tree } = now.source;
  return sourcePin({ state: 'clean', commit, tree });
}

async function readKubeconfigPin({ kubeconfig }: RunPlan): Promise<Pin> {
  try {
    await verifySnapshot(kubeconfig);
    return kubeconfigPin(kubeconfig.sha256);
  } catch (error) {
    if (!isGateError(error)) throw error;
    return kubeconfigPin(error.message);
  }
}

async function readImagePin(plan: RunPlan, reference: string): Promise<Pin> {
  try {
    const image = await inspectImage(dockerOf(plan), reference, plan.deadlines['command'] ?? 120);
    return imagePin({ reference, id: image?.id ?? 'nothing' });
  } catch (error) {
    if (!isProcessFailure(error)) throw error;
    const message = `The image ${reference} cannot be read from Docker: ${error.message}`;
    const code = 'final-identity.docker-unreadable';
    throw new GateError({ layer: 'final-identity', code, message, retryable: true });
  }
}
