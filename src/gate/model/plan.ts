import type { DeploymentContract, PodContract, RayTopology } from './contracts.js';

/** An object of the overlay as the gate needs it; the inventory's planned objects have this shape. */
export interface PlannedManifest {
  readonly identity: string;
  readonly phase: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** The layers that are steps of a deployment, in their order. Preflight is none: it runs in the program. */
export const stepLayers = [
  'images',
  'drain',
  'setup',
  'workloads',
  'ray',
  'rollouts',
  'app-convergence',
  'api-smoke',
  'evidence',
] as const;
export type StepLayer = (typeof stepLayers)[number];

export interface ImagePlan {
  /** `django-ray:local-gate-tree-…`. */
  readonly reference: string;
  /** Below the repository's top folder. */
  readonly dockerfile: string;
  readonly contextFolder: string;
}

export interface ReleasePlan {
  readonly tag: string;
  /** Digest of what decides about the images' content beside the tree; a label of the images. */
  readonly buildInputsSha256: string;
  readonly app: ImagePlan;
  readonly legacy: ImagePlan;
  /** `file:///runtime-env/NAME.zip`. */
  readonly archiveUri: string;
}

/** What preflight fixed for one run. Plain JSON: it is the input of every step, and kept in Pulumi's state, so it holds no secret. */
export interface RunPlan {
  readonly schema: 'raygate.plan/1';
  readonly platform: string;
  /** Pulumi's name of the stack. */
  readonly stack: string;
  readonly namespace: string;
  /** The stack's private folder. */
  readonly stateFolder: string;
  /** Digest over what was planned, whatever the commit's message and the run say: equal fingerprints deploy the same. */
  readonly fingerprint: string;
  readonly kubeconfig: {
    readonly path: string;
    readonly sha256: string;
    readonly context: string;
    readonly server: string;
  };
  readonly docker: { readonly host: string; readonly configFolder?: string };
  readonly source: { readonly root: string; readonly commit: string; readonly tree: string };
  readonly release: ReleasePlan;
  readonly ray: {
    readonly topology: RayTopology;
    readonly restart: 'required' | 'skip';
    readonly operatorVersion: string;
  };
  readonly deployments: readonly DeploymentContract[];
  readonly setup: { readonly manifest: Readonly<Record<string, unknown>>; readonly pod: PodContract };
  readonly webUrl: string;
  readonly drain: 'wait' | 'skip';
  /** Seconds by name: the layers, `request`, `command`, `lease`, `watch-silence`. */
  readonly deadlines: Readonly<Record<string, number>>;
  /** Of one `up` in all, from its first step. */
  readonly deadlineSeconds: number;
}
