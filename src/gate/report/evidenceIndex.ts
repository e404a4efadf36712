import { createHash } from 'node:crypto';
import { z } from 'zod';
import { evidenceFiles } from './evidenceFiles.js';

const indexSchema = z.strictObject({
  schema: z.literal('raygate.evidence-index/1'),
  runId: z.string().min(1),
  /** By name, with lowercase hex. */
  files: z.record(z.string(), z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) })),
});
export type EvidenceIndex = z.output<typeof indexSchema>;

/** The files that belong together, each with its SHA-256 and size. */
export function evidenceIndex(runId: string, files: ReadonlyMap<string, string>): string {
  const entries = [...files].map(([name, content]) => {
    const bytes = Buffer.from(content, 'utf8');
    return [name, { sha256: sha256(bytes), bytes: bytes.length }];
  });
  const index = { schema: 'raygate.evidence-index/1', runId, files: Object.fromEntries(entries) };
  return `${JSON.stringify(index, undefined, 2)}\n`;
}

export function readIndex(content: string): EvidenceIndex | undefined {
  try {
    const parsed = indexSchema.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What an evidence folder must hold beside the index: no more, no less. */
export const indexedFiles: readonly string[] = Object.values(evidenceFiles).filter(
  (name) => name !== evidenceFiles.index,
);
