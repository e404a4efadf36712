import type { PodTemplate } from './podTemplate.js';

/** One container as the plan has it: its name and the image reference it must run. */
export interface ImageSlot {
  readonly name: string;
  readonly image: string;
}

/** The containers of a pod, in order. Names are unique across both lists. */
export interface PodContract {
  readonly initContainers: readonly ImageSlot[];
  readonly containers: readonly ImageSlot[];
}

/** What one planned Deployment promises, and what the live one is compared with. */
export interface DeploymentContract {
  readonly name: string;
  readonly replicas: number;
  readonly selector: Readonly<Record<string, string>>;
  readonly pod: PodContract;
  readonly template: PodTemplate;
}

/** A RayCluster's shape, normalised: groups by name, parameters by key. Plain JSON, so that two can be compared as text. */
export interface RayTopology {
  readonly rayVersion: string;
  readonly serviceType: string;
  readonly head: RayNodeShape;
  readonly groups: readonly RayGroupShape[];
}

export interface RayNodeShape {
  readonly containers: readonly ImageSlot[];
  readonly initContainers: readonly ImageSlot[];
  readonly startParameters: Readonly<Record<string, string>>;
}

export interface RayGroupShape extends RayNodeShape {
  readonly name: string;
  readonly replicas: number;
}

/** A reference that names one content: it has a tag or a digest, and the tag is not `latest`. */
export function isPinned(reference: string): boolean {
  if (/@sha256:[0-9a-f]{64}$/.test(reference)) return true;
  const tag = /:([A-Za-z0-9_][A-Za-z0-9._-]{0,127})$/.exec(reference)?.[1];
  return tag !== undefined && tag !== 'latest' && !reference.endsWith('/');
}
