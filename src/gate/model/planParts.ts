import { sha256Of } from './canonicalJson.js';

/**
 * What decides whether two plans deploy the same, in parts that can be compared one by one. Plain JSON without a secret: it is kept
 * in Pulumi's state and in the evidence.
 */
export interface PlanParts {
  /** 40 lowercase hex digits of git. */
  readonly sourceTree: string;
  readonly releaseTag: string;
  /** Settings by name, without those that only say where and for how long to look; one that is not set is left out. */
  readonly settings: Readonly<Record<string, string>>;
  readonly cluster: {
    readonly server: string;
    readonly certificateAuthoritySha256: string;
    /** Version of the running operator, which decides what Ray's pods become. */
    readonly kubeRay: string;
  };
  /** Digest of each planned object by its identity. */
  readonly objects: Readonly<Record<string, string>>;
}

export interface PlanPartsSource {
  readonly pinned: { readonly source: { readonly tree: string }; readonly release: { readonly tag: string } };
  readonly objects: readonly { readonly identity: string; readonly manifest: unknown }[];
  readonly attempt: string | undefined;
  readonly profile: string;
  readonly rayRestart: string;
  readonly runtimeEnvAccess: string;
}

/** The parts of what preflight was given, for the cluster that it found. */
export function planPartsOf(source: PlanPartsSource, cluster: PlanParts['cluster']): PlanParts {
  const { pinned, objects, attempt, profile, rayRestart, runtimeEnvAccess } = source;
  return {
    sourceTree: pinned.source.tree,
    releaseTag: pinned.release.tag,
    settings: { ...(attempt === undefined ? {} : { attempt }), profile, rayRestart, runtimeEnvAccess },
    cluster,
    objects: Object.fromEntries(objects.map(({ identity, manifest }) => [identity, sha256Of(manifest)])),
  };
}

/** One digest over all parts. A change of what the parts are belongs into `format`. */
export function fingerprintOf(parts: PlanParts): string {
  return sha256Of({ format: 3, ...parts });
}
