import type { ProvenIdentity } from '../model/identities.js';
import type { LayerTime, Observation } from '../model/observation.js';
import type { PlanParts } from '../model/planParts.js';
import type { EvidenceSources, ObservedLayer, PlanFacts } from './evidenceSources.js';

export type Observations = { readonly [L in ObservedLayer]: Observation<L> };

export const evidenceSchemaName = 'raygate.evidence/3';

/** What is kept of a proven run: whoever looks later can derive each line from it again. */
export interface EvidenceDocument {
  readonly schema: typeof evidenceSchemaName;
  readonly runId: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  readonly platform: string;
  readonly fingerprint: string;
  /** What the fingerprint is of. */
  readonly parts: PlanParts;
  readonly plan: PlanFacts;
  /** Preflight runs in the program, before there are steps; absent when a run of an older program is gone on with. */
  readonly preflight?: LayerTime;
  readonly observations: Observations;
  /** Of the layer that wrote this, until then. */
  readonly evidence: LayerTime;
  readonly identity: ProvenIdentity;
  /** The block of 72 columns: it follows from `plan`, `observations` and `identity`. */
  readonly lines: readonly string[];
}

/** What the keys of this evidence rest on. */
export function sourcesOf({
  plan,
  observations,
  identity,
}: Pick<EvidenceDocument, 'plan' | 'observations' | 'identity'>): EvidenceSources {
  const facts = Object.fromEntries(Object.entries(observations).map(([layer, seen]) => [layer, seen.facts]));
  return { ...(facts as Omit<EvidenceSources, 'plan' | 'identity'>), plan, identity };
}
