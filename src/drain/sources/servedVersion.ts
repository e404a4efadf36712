import { absent, found, type Outcome, unreadable } from '../../core/outcome.js';
import type { SourceKind } from './sourceKind.js';

/** What discovery says of one group and resource: versions under which it is served. `fresh` is false while any part of discovery failed. */
export interface ServedVersions {
  readonly versions: readonly string[];
  readonly fresh: boolean;
}

/**
 * The version under which a kind is read. Absent only when discovery is fresh and the resource is served at no version at all; one that is
 * served only at versions that we do not know is unreadable, as is anything that stale discovery does not show.
 */
export function servedVersion(
  row: Pick<SourceKind, 'group' | 'versions' | 'resource'>,
  served: ServedVersions,
): Outcome<string> {
  const version = row.versions.find((each) => served.versions.includes(each));
  if (version !== undefined) return found(version);
  const what = `${row.resource}.${row.group || 'core'}`;
  if (served.versions.length > 0)
    return unreadable(
      `${what} is served only as ${served.versions.join(', ')}, not as ${row.versions.join(', ')}`,
      false,
    );
  return served.fresh ? absent : unreadable(`${what} is not in discovery, which is stale`, true);
}
