import type { Kubectl } from './kubectl.js';
import type { ResourceDocument } from './servedRules.js';

/** Every resource document of an API server, by its own list of groups. */
export async function readDiscovery(kubectl: Kubectl): Promise<readonly ResourceDocument[]> {
  const raw = async <T>(path: string): Promise<T> => {
    const answer = await kubectl(['get', '--raw', path]);
    if (!answer.ok) throw new Error(`kubectl get --raw ${path}: ${answer.stderr}`);
    return JSON.parse(answer.stdout) as T;
  };
  const { groups } = await raw<{ groups: { versions: { groupVersion: string }[] }[] }>('/apis');
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const paths = ['/api/v1', ...versions.map((version) => `/apis/${version}`)];
  return Promise.all(paths.map((path) => raw<ResourceDocument>(path)));
}
