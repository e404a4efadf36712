import { join } from 'node:path';
import { inspectImage, readImageDigests } from '../../host/docker.js';
import type { ImageDigests } from '../../host/imageDigests.js';
import type { RunPlan } from '../model/plan.js';
import { readJson, writeJson } from './stateFolder.js';

interface Kept {
  readonly id: string;
  readonly digests: ImageDigests;
}

/**
 * The digests of a local image by its Id. An Id is a digest itself, so what it resolves to never changes: it is read from
 * `docker save` once (the whole image passes through, 10 s for 0.9 GB on two cores) and kept in the stack's folder.
 * @throws Error when the tag moves while the image is read
 */
export async function imageDigestsOf(plan: RunPlan, reference: string, id: string): Promise<ImageDigests> {
  const path = join(plan.stateFolder, 'image-digests', `${id.replace(':', '-')}.json`);
  const kept = await readJson<Kept>(path);
  if (kept?.id === id && isWhole(kept.digests)) return kept.digests;
  const place = { host: plan.docker.host, configFolder: plan.docker.configFolder };
  const saved = await readImageDigests(place, reference, plan.deadlines['images'] ?? 1200);
  const now = await inspectImage(place, reference, plan.deadlines['command'] ?? 120);
  if (now?.id !== id)
    throw new Error(`The tag ${reference} moved from ${id} to ${now?.id ?? 'nothing'} while it was read.`);
  // Of an index of several platforms Docker saves the one it has, without the index; the Id is still that of the index.
  const isIndex = ![saved.index, saved.manifest, saved.config].includes(id);
  const digests = isIndex ? { ...saved, index: id } : saved;
  await writeJson(path, { id, digests } satisfies Kept);
  return digests;
}

/** Files of earlier versions lack the labels. */
function isWhole(digests: Partial<ImageDigests> | undefined): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(digests?.config ?? '') && digests?.configLabels !== undefined;
}
