import type { ProvenIdentity } from '../model/identities.js';
import type { Facts } from '../model/observation.js';
import type { StepLayer } from '../model/plan.js';

/** What preflight fixed, as far as the evidence speaks of it: no path of this machine is in it. */
export interface PlanFacts {
  readonly namespace: string;
  readonly source: {
    readonly commit: string;
    readonly tree: string;
    /** Of the tar that `git archive` makes of the commit; see `archiveSha256` in host/gitArchive.ts. */
    readonly archiveSha256: string;
  };
  readonly kubeconfig: { readonly sha256: string; readonly context: string; readonly server: string };
  readonly dockerHost: string;
  readonly release: { readonly tag: string; readonly buildInputsSha256: string; readonly archiveUri: string };
}

/** The layers that an evidence rests on. */
export type ObservedLayer = Exclude<StepLayer, 'evidence'>;
type LayerFacts = { readonly [L in ObservedLayer]: Facts[L] };

/** Everything that a key of the evidence can rest on, by name. */
export interface EvidenceSources extends LayerFacts {
  readonly plan: PlanFacts;
  /** Who ran when the evidence was written. */
  readonly identity: ProvenIdentity;
}
export type SourceName = keyof EvidenceSources;
