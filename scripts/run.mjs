// Runs one of the project's tools (tsc, vitest, …) under the project's Node, after the set-up.
import { join } from 'node:path';
import { ensureSetup, nodeBinary, nodeEnvironment, projectFolder, runMain, runProgram } from './setup.mjs';

await runMain(async () => {
  const [tool, ...argv] = process.argv.slice(2);
  await ensureSetup();
  const file = join(projectFolder, 'node_modules', '.bin', tool);
  const { code } = await runProgram(nodeBinary(), [file, ...argv], { show: true, env: nodeEnvironment() });
  return code;
});
