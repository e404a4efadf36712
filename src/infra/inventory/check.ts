import type { InventoryEntry, Manifest } from '../plannedObject.js';
import { accessProblems } from './accessRules.js';
import { hostProblems } from './hostRules.js';
import { identify } from './identity.js';
import { imageProblems } from './imageRules.js';
import { placementProblems } from './placementRules.js';
import { selectorProblems } from './selectorRules.js';
import { fieldsOf } from './walk.js';

/** An object after synthesis, rendered or about to be applied. */
export interface CheckedObject {
  readonly manifest: Manifest;
  /** Path of the construct, or of the document, that it came from: for messages. */
  readonly construct: string;
}

export interface InventoryExpectation {
  /** What the constructs declared. */
  readonly declared: readonly InventoryEntry[];
  /** The one namespace of the stack. */
  readonly namespace: string;
  readonly releaseTag: string;
  /** Repository of the images built from source. */
  readonly repository: string;
  /** `apiVersion/Kind` of the cluster-scoped kinds that it may hold beside its Namespace. Default: none. */
  readonly clusterKinds?: readonly string[];
}

/**
 * Compares synthesised objects with what was declared of them, and refuses what must not be deployed. Returns one line a
 * problem, each with the object's identity and where it came from; none when all is well. It reads plain JSON only and knows
 * nothing of the constructs, so that a fault of synthesis cannot vouch for itself.
 */
export function checkInventory(objects: readonly CheckedObject[], expected: InventoryExpectation): readonly string[] {
  const declared = new Map(expected.declared.map((entry) => [entry.identity, entry]));
  const identities = new Set(declared.keys());
  const seen = new Map<string, string>();
  const identified: { identity: string; construct: string; manifest: Manifest }[] = [];
  const problems: string[] = [];

  for (const object of objects) {
    const { manifest, construct } = object;
    const identity = identify(manifest);
    if ('lacks' in identity) {
      problems.push(`object without ${identity.lacks} (${construct}): give it one`);
      continue;
    }
    const say = (problem: string) => problems.push(`${identity.identity} (${construct}): ${problem}`);
    identified.push({ identity: identity.identity, construct, manifest });
    const before = seen.get(identity.identity);
    if (before !== undefined) say(`is made twice, also by ${before}`);
    seen.set(identity.identity, construct);

    placementProblems(identity, expected).forEach(say);
    hostProblems(manifest).forEach(say);
    accessProblems(manifest, { namespace: expected.namespace, identities }).forEach(say);
    secretProblems(manifest).forEach(say);
    nullProblems(manifest).forEach(say);
    const entry = declared.get(identity.identity);
    if (!entry) say('is not in the inventory: no construct declared it');
    else {
      imageProblems(manifest, entry.phase, expected).forEach(say);
      if (identity.scope !== undefined && identity.scope !== entry.scope)
        say(`was declared ${entry.scope} but its kind is ${identity.scope}`);
    }
  }
  for (const entry of expected.declared)
    if (!seen.has(entry.identity)) problems.push(`${entry.identity} (${entry.construct}): was declared but is missing`);
  for (const { of, problem } of selectorProblems(identified))
    problems.push(`${of.identity} (${of.construct}): ${problem}`);
  return problems;
}

function secretProblems(manifest: Manifest): readonly string[] {
  if (manifest['kind'] !== 'Secret') return [];
  return ['data', 'stringData']
    .filter((field) => Object.keys((manifest[field] ?? {}) as object).length > 0)
    .map((field) => `${field} holds values: a Secret is rendered without any`);
}

function nullProblems(manifest: Manifest): readonly string[] {
  return fieldsOf(manifest)
    .filter(({ value }) => value === null)
    .map(({ path }) => `${path} is null: leave it out`);
}
