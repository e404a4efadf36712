import { z } from 'zod';
import { type EvidenceDocument, evidenceSchemaName } from './evidence.js';
import type { ObservedLayer } from './evidenceSources.js';
import { factsSchemas, provenIdentity, sha256 } from './factsSchemas.js';

const moment = z.iso.datetime();
const commit = z.string().regex(/^[0-9a-f]{40}$/);

export const layerTimeShape = {
  startedAt: moment,
  endedAt: moment,
  seconds: z.number().min(0),
  waits: z.array(z.strictObject({ at: moment, line: z.string() })),
};

function observation(layer: ObservedLayer) {
  return z.strictObject({
    schema: z.literal('raygate.observation/1'),
    layer: z.literal(layer),
    runId: z.string(),
    ...layerTimeShape,
    facts: factsSchemas[layer],
  });
}

const observedLayers = Object.keys(factsSchemas) as ObservedLayer[];

/** The evidence file, whole and strict: an unknown member is as wrong as a missing one. */
const evidenceSchema = z.strictObject({
  schema: z.literal(evidenceSchemaName),
  runId: z.string().min(1),
  finishedAt: moment,
  platform: z.string(),
  fingerprint: sha256,
  parts: z.strictObject({
    sourceTree: commit,
    releaseTag: z.string(),
    settings: z.record(z.string(), z.string()),
    cluster: z.strictObject({ server: z.string(), certificateAuthoritySha256: sha256, kubeRay: z.string() }),
    objects: z.record(z.string(), sha256),
  }),
  plan: z.strictObject({
    namespace: z.string(),
    source: z.strictObject({ commit, tree: commit, archiveSha256: sha256 }),
    kubeconfig: z.strictObject({ sha256, context: z.string(), server: z.string() }),
    dockerHost: z.string(),
    release: z.strictObject({ tag: z.string(), buildInputsSha256: sha256, archiveUri: z.string() }),
  }),
  preflight: z.strictObject(layerTimeShape).optional(),
  observations: z.strictObject(Object.fromEntries(observedLayers.map((layer) => [layer, observation(layer)]))),
  evidence: z.strictObject(layerTimeShape),
  identity: provenIdentity,
  lines: z.array(z.string()),
});

export type EvidenceReading =
  | { readonly ok: true; readonly document: EvidenceDocument }
  /** `missingLayers`: observations that are not there at all. */
  | { readonly ok: false; readonly missingLayers: readonly string[]; readonly problems: readonly string[] };

/** Reads the content of an evidence file; every problem with its path. */
export function readEvidence(content: string): EvidenceReading {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { ok: false, missingLayers: [], problems: ['it is no JSON'] };
  }
  const parsed = evidenceSchema.safeParse(value);
  if (parsed.success) return { ok: true, document: parsed.data as unknown as EvidenceDocument };
  const observations = (value as { observations?: object } | null)?.observations;
  const missingLayers =
    typeof observations === 'object' && observations !== null
      ? observedLayers.filter((layer) => !(layer in observations))
      : [];
  return { ok: false, missingLayers, problems: parsed.error.issues.map(problemLine) };
}

function problemLine({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'the file' : path.map(String).join('.')}: ${message}`;
}
