#!/usr/bin/env node
// The command: sets the checkout up when it is not, then hands over to the compiled program under a Node that can run it.
import { join } from 'node:path';
import {
  ensureSetup,
  nodeBinary,
  nodeEnvironment,
  projectFolder,
  runMain,
  runProgram,
  SetupError,
} from '../scripts/setup.mjs';

await runMain(async () => {
  const argv = process.argv.slice(2);
  // Asked before any package is installed: what the first command needs is said before it costs minutes.
  if (argv[0] === 'start' && !argv.some((word) => word.startsWith('--context')) && process.getuid?.() !== 0) {
    throw new SetupError(
      `the lab needs ${process.platform === 'linux' ? `root, this is uid ${process.getuid?.()}` : `Linux, this is ${process.platform}`}; use your own cluster: npm start -- --context NAME`,
    );
  }
  await ensureSetup();
  const { code } = await runProgram(nodeBinary(), [join(projectFolder, 'dist', 'cli', 'main.js'), ...argv], {
    show: true,
    env: nodeEnvironment(),
  });
  return code;
});
