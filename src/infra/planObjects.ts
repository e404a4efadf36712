import { synthOverlay } from './charts/overlay.js';
import type { PlannedObject } from './plannedObject.js';
import type { Settings } from './settings.js';

/** What of the committed source and its release decides about the objects. */
export interface PlannedSource {
  readonly source: { readonly tree: string };
  readonly release: { readonly tag: string; readonly archiveUri: string };
}

/** The objects that a stack with these settings has. */
export function planObjects(
  settings: Pick<Settings, 'profile' | 'runtimeEnvAccess'>,
  { source, release }: PlannedSource,
): readonly PlannedObject[] {
  return synthOverlay({
    profile: settings.profile,
    releaseTag: release.tag,
    sourceTree: source.tree,
    archiveUri: release.archiveUri,
    runtimeEnvAccess: settings.runtimeEnvAccess,
  });
}
