#!/usr/bin/env node
// The command: sets the checkout up when it is not, then hands over to the compiled program under a Node that can run it.
import { join } from 'node:path';
import { hostRefusal } from '../scripts/hostable.mjs';
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
  const refusal = hostRefusal(argv, process.platform, process.getuid?.());
  if (refusal) throw new SetupError(refusal, 2);
  // The program runs in the project's folder; so does this, under npm, which then says where it was called.
  const underNpm = process.cwd() === projectFolder ? process.env.INIT_CWD : undefined;
  const callerFolder = underNpm ?? process.cwd();
  await ensureSetup();
  const { code } = await runProgram(nodeBinary(), [join(projectFolder, 'dist', 'cli', 'main.js'), ...argv], {
    show: true,
    env: { ...nodeEnvironment(), INIT_CWD: callerFolder },
  });
  return code;
});
