import type { Command } from 'commander';
import { labPaths, labStack } from '../lab/paths.js';
import { progressDisplay } from './progress.js';
import { ensurePulumiHome } from './pulumi/home.js';
import { builtPulumi } from './pulumi/programs.js';
import { makeCredentials, type StartOptions, start } from './start.js';

export function addStartCommands(program: Command): void {
  program
    .command('start')
    .description('Deploy and prove: on the lab, or with --context on your own local cluster.')
    .option('--context <name>', 'docker-desktop or kind-NAME; without it the embedded lab is used')
    .option('--kubeconfig <path>', "the kubeconfig that holds the context (default: the stack file's)")
    .action((options: StartOptions) => start(options));
  program
    .command('credentials')
    .description("Make the stack's Namespace and Secret, with random values, if neither is there.")
    .option('--stack <name>', 'whose Pulumi.NAME.yaml says which cluster; `npm start` makes that file', labStack)
    .action(async ({ stack }: { stack: string }) => {
      const made = await makeCredentials(stack);
      process.stdout.write(
        made === 'created' ? 'Namespace and Secret created\n' : 'the Secret is there and whole; nothing changed\n',
      );
    });
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
