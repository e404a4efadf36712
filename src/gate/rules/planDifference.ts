import type { PlanParts } from '../model/planParts.js';

const namesShown = 3;

/**
 * What differs between the plan that was proven and the planned one, in one line that names each part; undefined when nothing does.
 * Another tree changes the release and the objects that carry it, so with one those are not named.
 */
export function planDifference(proven: PlanParts, planned: PlanParts): string | undefined {
  const parts = [
    sourceDifference(proven, planned),
    ...settingDifferences(proven.settings, planned.settings),
    clusterDifference(proven, planned),
    proven.sourceTree === planned.sourceTree ? objectsDifference(proven.objects, planned.objects) : undefined,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join('; ') : undefined;
}

function sourceDifference(proven: PlanParts, planned: PlanParts): string | undefined {
  if (proven.sourceTree !== planned.sourceTree) {
    return `the source tree is ${planned.sourceTree.slice(0, 12)} instead of ${proven.sourceTree.slice(0, 12)}`;
  }
  if (proven.releaseTag === planned.releaseTag) return undefined;
  return `the release is ${planned.releaseTag} instead of ${proven.releaseTag}`;
}

function settingDifferences(proven: PlanParts['settings'], planned: PlanParts['settings']): readonly string[] {
  const names = [...new Set([...Object.keys(proven), ...Object.keys(planned)])].sort();
  return names
    .filter((name) => proven[name] !== planned[name])
    .map((name) => `raygate:${name} is ${planned[name] ?? 'not set'} instead of ${proven[name] ?? 'not set'}`);
}

function clusterDifference({ cluster: proven }: PlanParts, { cluster: planned }: PlanParts): string | undefined {
  if (proven.certificateAuthoritySha256 !== planned.certificateAuthoritySha256)
    return 'the cluster is another one (it has another certificate authority)';
  if (proven.server !== planned.server) return `the API server is ${planned.server} instead of ${proven.server}`;
  if (proven.kubeRay !== planned.kubeRay) return `KubeRay is ${planned.kubeRay} instead of ${proven.kubeRay}`;
  return undefined;
}

function objectsDifference(proven: PlanParts['objects'], planned: PlanParts['objects']): string | undefined {
  const all = [...new Set([...Object.keys(proven), ...Object.keys(planned)])].sort();
  const differing = all.filter((name) => proven[name] !== planned[name]);
  if (differing.length === 0) return undefined;
  const shown = differing.slice(0, namesShown).map((name) => {
    if (proven[name] === undefined) return `${name} (new)`;
    return planned[name] === undefined ? `${name} (no longer planned)` : name;
  });
  const more = differing.length - shown.length;
  const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${differing.length} planned ${differing.length === 1 ? 'object differs' : 'objects differ'}: ${names}`;
}
