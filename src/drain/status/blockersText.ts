import type { Blocker } from '../../api/workspaceStatus.js';

/** One line about a blocker: `Job/train/nightly is running in queue jobs of cq; needs label a; goes when it is finished or deleted`. */
export function blockerText(blocker: Blocker): string {
  const { kind, namespace, name, queue, clusterQueue, labelKeys = [], release } = blocker;
  const who = [kind, ...(namespace ? [namespace] : []), name].join('/');
  const where = [queue ? ` in queue ${queue}` : '', clusterQueue ? ` of ClusterQueue ${clusterQueue}` : ''].join('');
  const needs =
    labelKeys.length > 0 ? `; needs ${labelKeys.length > 1 ? 'labels' : 'label'} ${labelKeys.join(', ')}` : '';
  const is = blocker.class === 'needs-operator' ? 'needs an operator' : `is ${blocker.class}`;
  return `${who} ${is}${where}${needs}; goes when ${release}`;
}

/** The first blockers, a line each, and how many more there are. */
export function blockersText(blockers: readonly Blocker[], count: number): readonly string[] {
  const more = count - blockers.length;
  return [...blockers.map(blockerText), ...(more > 0 ? [`and ${more} more`] : [])];
}
