import type { EvidenceDocument } from './evidence.js';
import type { Finding } from './finding.js';

/** What observations of one run, made at different moments of the same things, must agree on; returns what does not. */
export type Agreement = (document: EvidenceDocument) => readonly Finding[];

export function disagreement(code: string, detail: string): readonly Finding[] {
  return [{ code: `evidence.${code}`, detail }];
}
