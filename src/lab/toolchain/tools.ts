import { delimiter } from 'node:path';
import { type BuildOptions, isBuilt, unitFolder } from './build.js';

/**
 * Puts the lab's own Docker client first on this process' PATH, once it is built: dockerd 29 refuses clients as old as Debian 12's, and a
 * bare machine has none. Returns whether it is there.
 */
export async function putDockerClientFirst(options: Pick<BuildOptions, 'binFolder' | 'go'>): Promise<boolean> {
  const folder = await unitFolder('buildx', options);
  const built = await isBuilt('buildx', options);
  const path = process.env['PATH'] ?? '';
  if (built && !path.split(delimiter).includes(folder)) process.env['PATH'] = `${folder}${delimiter}${path}`;
  return built;
}
