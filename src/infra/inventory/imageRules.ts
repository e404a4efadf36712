import type { Manifest, Phase } from '../plannedObject.js';
import { isFloating, parseImageReference } from './imageReference.js';
import { fieldsOf } from './walk.js';

export interface ImageExpectation {
  /** Repository of the images built from source. */
  readonly repository: string;
  readonly releaseTag: string;
}

/** Phases whose Deployments and Jobs run the release. */
const sourceBoundPhases: readonly Phase[] = ['setup', 'workload', 'rollout'];

/** No image may move under its name, and what is built from source runs exactly the release. */
export function imageProblems(manifest: Manifest, phase: Phase, expected: ImageExpectation): readonly string[] {
  const images = fieldsOf(manifest).filter((field) => field.key === 'image' && typeof field.value === 'string');
  const problems = images.flatMap(({ path, value }) => problemsOfImage(path, value as string, expected));
  const built = `${expected.repository}:${expected.releaseTag}`;
  const kind = manifest['kind'];
  const sourceBound = sourceBoundPhases.includes(phase) && (kind === 'Deployment' || kind === 'Job');
  if (sourceBound && !images.some((image) => image.value === built))
    problems.push(`runs in phase ${phase} but none of its containers is built from source (${built})`);
  return problems;
}

function problemsOfImage(path: string, text: string, expected: ImageExpectation): string[] {
  const reference = parseImageReference(text);
  if (!reference) return [`${path} "${text}" is no image reference`];
  if (isFloating(reference)) return [`${path} "${text}" floats: pin a version or a digest`];
  const fromSource = reference.repository === expected.repository;
  if (fromSource && (reference.tag !== expected.releaseTag || reference.digest !== undefined))
    return [`${path} "${text}" is built from source but not the release ${expected.repository}:${expected.releaseTag}`];
  return [];
}
