import { runApiSmoke } from '../flows/apiSmoke.js';
import { runAppConvergence } from '../flows/appConvergence.js';
import { runDrain } from '../flows/drain.js';
import { runEvidence } from '../flows/evidence.js';
import { runFinalIdentity } from '../flows/finalIdentity.js';
import { runImageIdentity } from '../flows/imageIdentity.js';
import { runImages } from '../flows/images.js';
import { runRay } from '../flows/ray.js';
import { runRollouts } from '../flows/rollouts.js';
import { runSetup } from '../flows/setup.js';
import type { StepContext } from '../flows/stepContext.js';
import { runWorkloads } from '../flows/workloads.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan, StepLayer } from '../model/plan.js';

/** What each layer does. */
export const flows: { readonly [L in StepLayer]: (context: StepContext) => Promise<Facts[L]> } = {
  images: runImages,
  drain: runDrain,
  setup: runSetup,
  workloads: runWorkloads,
  ray: runRay,
  rollouts: runRollouts,
  'app-convergence': runAppConvergence,
  'image-identity': runImageIdentity,
  'api-smoke': runApiSmoke,
  'final-identity': runFinalIdentity,
  evidence: runEvidence,
};

/**
 * Seconds that a layer may take in all: its own setting, and what it waits for beside its own work (two builds, the look at
 * unfinished work before a mutation).
 */
export function layerSeconds(layer: StepLayer, deadlines: RunPlan['deadlines']): number {
  const own = (name: string) => deadlines[name] ?? 300;
  switch (layer) {
    case 'images':
      return 3 * own('images');
    case 'image-identity':
      // Images that are not known yet pass through `docker save` once.
      return own(layer) + own('images');
    case 'setup':
    case 'ray':
      return own(layer) + own('drain');
    case 'evidence':
      return own('final-identity');
    default:
      return own(layer);
  }
}
