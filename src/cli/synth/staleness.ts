import type { Files } from '../../infra/render/files.js';
import { indexFile } from '../../infra/render/manifestIndex.js';
import { textDiff } from './textDiff.js';

/** Lines of all diffs together that are worth reading on a terminal. */
const lineLimit = 400;

export interface Staleness {
  /** Paths that differ, are missing or are left over. */
  readonly paths: readonly string[];
  /** What a reader sees: a diff from what stands there to what belongs there. */
  readonly lines: readonly string[];
}

/** How a folder differs from what belongs there; undefined when it does not. */
export function staleness(standing: Files, wanted: Files): Staleness | undefined {
  const paths = [...new Set([...standing.keys(), ...wanted.keys()])]
    .filter((path) => standing.get(path) !== wanted.get(path))
    // Its digests follow from the other files: last, since it says nothing that they do not.
    .sort((a, b) => Number(a === indexFile) - Number(b === indexFile) || (a < b ? -1 : 1));
  if (paths.length === 0) return undefined;
  const lines = paths.flatMap((path) => differences(path, standing.get(path), wanted.get(path)));
  const more = lines.length - lineLimit;
  return { paths, lines: more > 0 ? [...lines.slice(0, lineLimit), `… and ${more} lines more`] : lines };
}

function differences(path: string, standing: string | undefined, wanted: string | undefined): readonly string[] {
  if (wanted === undefined) return [`left over: ${path}`];
  if (standing === undefined) return [`missing:   ${path}`];
  return [`--- ${path} (as it stands)`, `+++ ${path} (as rendered)`, ...textDiff(standing, wanted)];
}
