import { sha256Of } from './canonicalJson.js';
import type { PlannedManifest, ReleasePlan } from './plan.js';

export interface FingerprintParts {
  readonly tree: string;
  readonly release: ReleasePlan;
  readonly objects: readonly PlannedManifest[];
  readonly cluster: { readonly server: string; readonly certificateAuthoritySha256: string };
  readonly rayRestart: 'required' | 'skip';
  readonly attempt: string | undefined;
}

/** Digest over what is planned, and where; equal for two runs that deploy the same. */
export function fingerprintOf({ tree, release, objects, cluster, rayRestart, attempt }: FingerprintParts): string {
  const { server, certificateAuthoritySha256 } = cluster;
  return sha256Of({
    gate: 1,
    tree,
    release,
    objects: objects.map((object) => object.manifest),
    cluster: { server, certificateAuthoritySha256 },
    rayRestart,
    attempt,
  });
}
