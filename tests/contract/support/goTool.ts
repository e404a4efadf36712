import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * A development tool that a module of `lab/toolchain` names with `tool`: built by Go on the first use and kept in Go's own build
 * cache from then on; or the program that `RAYGATE_TEST_HELM` or `RAYGATE_TEST_KUSTOMIZE` names. Returns its path.
 */
export async function goTool(module: 'helm' | 'kustomize'): Promise<string> {
  const given = process.env[`RAYGATE_TEST_${module.toUpperCase()}`];
  if (given) return given;
  const folder = fileURLToPath(new URL(`../../../lab/toolchain/${module}`, import.meta.url));
  const { stdout } = await promisify(execFile)('go', ['-C', folder, 'tool', '-n', module], {
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false -mod=readonly' },
  });
  return stdout.trim();
}
