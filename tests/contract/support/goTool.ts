import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * A development tool that a module of `lab/toolchain` names with `tool`: built by Go on the first use and kept in Go's own build
 * cache from then on. Returns the path of the program.
 */
export async function goTool(module: 'helm' | 'kustomize'): Promise<string> {
  const folder = fileURLToPath(new URL(`../../../lab/toolchain/${module}`, import.meta.url));
  const { stdout } = await promisify(execFile)('go', ['-C', folder, 'tool', '-n', module], {
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false -mod=readonly' },
  });
  return stdout.trim();
}
