import type { PodTemplate } from './podTemplate.js';

/** A node of a RayCluster as it was planned. */
export interface RayNode {
  readonly type: 'head' | 'worker';
  /** Of a worker: its group. */
  readonly group: string;
  readonly clusterName: string;
  readonly namespace: string;
  readonly startParameters: Readonly<Record<string, string>>;
  /** Port of the head's GCS. */
  readonly headPort: string;
  readonly template: PodTemplate;
}

/** What a KubeRay operator makes of the nodes of a RayCluster, by its version; the rules compare live pods with it. */
export interface KubeRayContract {
  readonly version: string;
  /** The oldest Ray for whose pods this holds: `2.53`. */
  readonly oldestRay: string;
  readonly initContainer: {
    readonly name: string;
    readonly command: readonly string[];
    /** The script's lines, trimmed, blank ones dropped. */
    scriptLines(headAddress: string): readonly string[];
  };
  /** The whole pod, before the API server adds its own. */
  podOf(node: RayNode): PodTemplate;
  /** Labels and annotations of the operator whose value nobody else can know. */
  readonly additions: { readonly labels: RegExp; readonly annotations: RegExp };
}
