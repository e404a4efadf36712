import type { PlannedObject } from '../plannedObject.js';
import { inApplyOrder } from './applyOrder.js';
import { digestOf, sha256 } from './canonicalJson.js';
import type { Files } from './files.js';

/** Says of a folder that it is ours to replace. */
export const indexGenerator = 'raygate synth';

export const indexFile = 'index.json';

export interface ManifestIndex {
  readonly generator: string;
  /** How to recompute an object's digest. */
  readonly objectDigest: string;
  readonly charts: readonly ChartIndex[];
  /** SHA-256 of each file's bytes, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ChartIndex {
  readonly chart: string;
  readonly objects: readonly IndexedObject[];
}

export interface IndexedObject {
  readonly identity: string;
  readonly scope: string;
  readonly phase: string;
  readonly construct: string;
  readonly sha256: string;
}

/** What a rendered folder holds: each object with its digest, whatever the form, and each file with its own. */
export function manifestIndex(charts: ReadonlyMap<string, readonly PlannedObject[]>, files: Files): ManifestIndex {
  return {
    generator: indexGenerator,
    objectDigest: 'SHA-256 of the object as JSON in UTF-8: keys sorted by code point, no spaces',
    charts: [...charts].map(([chart, objects]) => ({
      chart,
      objects: inApplyOrder(objects).map(({ identity, scope, phase, construct, manifest }) => ({
        identity,
        scope,
        phase,
        construct,
        sha256: digestOf(manifest),
      })),
    })),
    files: Object.fromEntries(
      [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => [path, sha256(text)]),
    ),
  };
}
