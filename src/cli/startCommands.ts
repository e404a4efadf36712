import type { Command } from 'commander';
import { labPaths } from '../lab/paths.js';
import { progressDisplay } from './progress.js';
import { ensurePulumiHome } from './pulumi/home.js';
import { builtPulumi } from './pulumi/programs.js';
import { type StartOptions, start } from './start.js';

export function addStartCommands(program: Command): void {
  program
    .command('start')
    .description('Deploy and prove: on the lab, or with --context on your own local cluster.')
    .option('--context <name>', 'docker-desktop or kind-NAME; without it the embedded lab is used')
    .option('--kubeconfig <path>', "the kubeconfig that holds the context (default: the stack file's)")
    .action((options: StartOptions) => start(options));
  program
    .command('env')
    .description('Print the environment for a plain pulumi: eval "$(npx raygate env)".')
    .action(async () => {
      const paths = labPaths();
      const display = progressDisplay({ stream: process.stderr });
      try {
        const home = await ensurePulumiHome(paths.pulumiFolder, await builtPulumi(paths, display.report));
        for (const [key, value] of Object.entries(home.environment))
          process.stdout.write(`export ${key}='${value.replaceAll("'", `'\\''`)}'\n`);
      } finally {
        display.end();
      }
    });
}
