import { markKeys, namespaceAnnotationKeys, namespaceLabelKeys } from '../../api/marks.js';
import type { Labels } from '../selectors/labelSelector.js';

export interface Marks {
  readonly labels: Labels;
  readonly annotations: Labels;
}

/** Keys to take off a namespace. */
export interface MarkKeys {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/**
 * The marks of a namespace that a workspace may take off: none unless the namespace says that this very workspace owns it, and of those only
 * keys that still have the value that the workspace wrote. What Helm or a person put there stays.
 */
export function ownMarks(live: Marks, workspaceUid: string, written: Marks): MarkKeys {
  if (workspaceUid === '' || labelOf(live.annotations, markKeys.ownerUid) !== workspaceUid)
    return { labels: [], annotations: [] };
  const own = (has: Labels, wrote: Labels) => (key: string) =>
    labelOf(has, key) !== undefined && labelOf(has, key) === labelOf(wrote, key);
  return {
    labels: namespaceLabelKeys.filter(own(live.labels, written.labels)),
    annotations: namespaceAnnotationKeys.filter(own(live.annotations, written.annotations)),
  };
}

/** Labels without some keys. */
export function labelsWithout(labels: Labels, keys: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !keys.includes(key)));
}

function labelOf(of: Labels, key: string): string | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
