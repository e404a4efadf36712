import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** From the Go modules of `lab/toolchain`, which the lab's build has downloaded. */
it('the generated kinds are those of the OpenAPI document and the CRDs of the versions that the lab builds', async () => {
  const script = fileURLToPath(new URL('../../scripts/generate-imports.mjs', import.meta.url));
  const checked = promisify(execFile)(process.execPath, [script, '--check']);
  await expect(checked).resolves.toEqual({ stdout: '', stderr: '' });
});
