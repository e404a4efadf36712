import type { LocalImage } from '../../host/docker.js';
import type { ConvergedDeployment, PodIdentity, ProvenIdentity, RayPodIdentity, SetupResult } from './identities.js';
import type { Pin } from './pin.js';
import type { StepLayer } from './plan.js';
import type { ClaimSeen, PreservedSnapshot } from './preserved.js';

export interface ImageObservation extends LocalImage {
  /** False: the image of an unchanged tree was found, its labels checked. */
  readonly built: boolean;
}

/** One reference that containers run: what the local store resolves it to, and what the runtime reports. */
export interface ResolvedImage {
  /** Normalised. */
  readonly reference: string;
  readonly origin: 'release' | 'third-party';
  /** Undefined: the local store has nothing under the reference. */
  readonly local:
    | {
        readonly id: string;
        readonly index: string | undefined;
        readonly manifest: string | undefined;
        readonly config: string;
        readonly repoDigests: readonly string[];
      }
    | undefined;
  /** Each digest that a runtime reports for it, and which of the image's names that is. */
  readonly runs: readonly {
    readonly digest: string;
    readonly is: 'id' | 'index' | 'manifest' | 'config' | 'repository-digest' | 'not-in-local-store';
  }[];
  /** `pod/container`. */
  readonly containers: readonly string[];
}

export interface ImageIdentityFacts {
  readonly images: readonly ResolvedImage[];
  /** Whether the nodes run out of the local Docker store itself. */
  readonly sharedStore: boolean;
  /** Found in the configuration that runs. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface Facts {
  readonly images: { readonly app: ImageObservation; readonly legacy: ImageObservation; readonly loadedInto?: string };
  readonly drain: {
    readonly mode: 'wait' | 'skip';
    readonly empty: readonly string[];
    readonly notPresent: readonly string[];
    /** What the run must leave as it is, seen before its first change. */
    readonly before: PreservedSnapshot;
  };
  readonly setup: { readonly jobUid: string; readonly pod: PodIdentity; readonly result: SetupResult };
  readonly workloads: { readonly rayClusterUid: string; readonly webDeploymentUid: string };
  readonly ray: {
    readonly restart: 'performed' | 'skipped-by-explicit-trigger-choice';
    readonly retiredUids: readonly string[];
    readonly clusterUid: string;
    readonly pods: readonly RayPodIdentity[];
    readonly heads: number;
    readonly workers: number;
    readonly podsSha256: string;
  };
  readonly rollouts: {
    readonly deployments: readonly { readonly name: string; readonly uid: string; readonly generation: number }[];
  };
  readonly 'app-convergence': { readonly deployments: readonly ConvergedDeployment[] };
  readonly 'image-identity': ImageIdentityFacts & {
    /** Of the nodes: `containerd://2.3.5`. */
    readonly runtimes: readonly string[];
    /** What the application stands on. */
    readonly supporting: readonly ConvergedDeployment[];
    readonly setupPod: PodIdentity;
    readonly claims: readonly ClaimSeen[];
  };
  readonly 'api-smoke': {
    readonly unauthenticated: readonly { readonly request: string; readonly status: number }[];
    readonly authenticated: readonly { readonly request: string; readonly status: number }[];
    readonly task: {
      readonly id: string;
      readonly queue: string;
      readonly state: string;
      readonly result: number;
      /** Which manager ran it, and against which Ray. */
      readonly worker: string;
      readonly rayAddress: string;
      readonly workingDir: string;
      readonly attempt: number;
    };
  };
  /** Everything once more at one moment, and that nothing of it is other than what the layers went by. */
  readonly 'final-identity': {
    readonly identity: ProvenIdentity;
    /** As they stand. */
    readonly pins: readonly Pin[];
    /** What `before` of layer drain was compared with. */
    readonly after: PreservedSnapshot;
    /** The layers whose pins were compared. */
    readonly compared: readonly string[];
  };
  readonly evidence: { readonly evidenceFile: string; readonly linesFile: string };
}

/** What one step saw, kept in the run's folder until the evidence is composed of it. */
export interface Observation<L extends StepLayer = StepLayer> {
  readonly schema: 'raygate.observation/1';
  readonly layer: L;
  readonly runId: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly facts: Facts[L];
}
