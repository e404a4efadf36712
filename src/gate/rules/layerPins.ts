import type { LocalImage } from '../../host/docker.js';
import { rayClusterName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { LayerPins, Pin } from '../model/pin.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { deploymentPins, identityPins, jobPin, podPin } from './pins.js';
import { claimPin, preservedPins } from './preservedPins.js';

/** What the layers of a run saw, those that ran. */
export type LayerFacts = { readonly [L in StepLayer]?: Facts[L] };

/** What preflight fixed and each layer went by, in their order. Two layers may pin the same thing: both must hold. */
export function pinsOfLayers(plan: RunPlan, facts: LayerFacts): readonly LayerPins[] {
  const pinners: { readonly [L in StepLayer]?: (of: Facts[L]) => readonly Pin[] } = {
    images: ({ app, legacy }) => [app, legacy].map(imagePin),
    drain: ({ before }) => preservedPins(before),
    setup: ({ jobUid, pod }) => [jobPin(jobUid), podPin(pod)],
    workloads: ({ rayClusterUid }) => [clusterPin(rayClusterUid)],
    ray: ({ clusterUid, pods }) => [clusterPin(clusterUid), ...pods.map(podPin)],
    rollouts: ({ deployments }) =>
      deployments.map(({ name, uid, generation }) => ({
        subject: `Deployment ${name}`,
        fields: { uid, generation: String(generation) },
      })),
    'app-convergence': ({ deployments }) => deployments.flatMap(deploymentPins),
    'image-identity': ({ supporting, setupPod, claims }) => [
      ...supporting.flatMap(deploymentPins),
      podPin(setupPod),
      ...claims.map(claimPin),
    ],
    'final-identity': ({ identity, after }) => [...identityPins(identity), ...preservedPins(after)],
  };
  const layers = Object.entries(pinners).map(([layer, pinner]) => {
    const seen = facts[layer as StepLayer];
    return { layer, pins: seen === undefined ? [] : (pinner as (of: unknown) => readonly Pin[])(seen) };
  });
  const { commit, tree } = plan.source;
  const planned = [sourcePin({ state: 'clean', commit, tree }), kubeconfigPin(plan.kubeconfig.sha256)];
  return [{ layer: 'preflight', pins: planned }, ...layers].filter(({ pins }) => pins.length > 0);
}

export function sourcePin(fields: { readonly state: string; readonly commit?: string; readonly tree?: string }): Pin {
  return { subject: 'source', fields };
}

export function kubeconfigPin(sha256: string): Pin {
  return { subject: 'kubeconfig', fields: { sha256 } };
}

export function imagePin({ reference, id }: Pick<LocalImage, 'reference' | 'id'>): Pin {
  return { subject: `image ${reference}`, fields: { id } };
}

function clusterPin(uid: string): Pin {
  return { subject: `RayCluster ${rayClusterName}`, fields: { uid } };
}
