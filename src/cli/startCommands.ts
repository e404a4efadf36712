import { join } from 'node:path';
import type { Command } from 'commander';
import { type LabPaths, labPaths, labStack } from '../lab/paths.js';
import { unitFolder } from '../lab/toolchain/build.js';
import { goVersion } from '../lab/toolchain/goModule.js';
import { putDockerClientFirst } from '../lab/toolchain/tools.js';
import { progressDisplay } from './progress.js';
import { ensurePulumiHome, type PulumiHome } from './pulumi/home.js';
import { builtPulumi } from './pulumi/programs.js';
import { labSettings } from './stackFile.js';
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
    .description('Print the environment for a plain pulumi: eval "$(npm run --silent raygate -- env)".')
    .option('--json', 'where the parts of the lab are, for programs', false)
    .action(async ({ json }: { json: boolean }) => {
      const paths = labPaths();
      const display = progressDisplay({ stream: process.stderr });
      try {
        await putDockerClientFirst({ binFolder: paths.binFolder, go: await goVersion() });
        const home = await ensurePulumiHome(paths.pulumiFolder, await builtPulumi(paths, display.report));
        process.stdout.write(
          json ? `${JSON.stringify(await labParts(paths, home))}\n` : shellExports(home.environment),
        );
      } finally {
        display.end();
      }
    });
}

function shellExports(environment: Readonly<Record<string, string>>): string {
  const quote = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  return Object.entries(environment)
    .map(([key, value]) => `export ${key}=${quote(value)}\n`)
    .join('');
}

async function labParts(paths: LabPaths, home: PulumiHome): Promise<Readonly<Record<string, unknown>>> {
  const kubernetes = await unitFolder('kubernetes', { binFolder: paths.binFolder, go: await goVersion() });
  return {
    ...labSettings(paths),
    etcd: join(kubernetes, 'etcd'),
    kubectl: join(kubernetes, 'kubectl'),
    pulumi: join(home.programFolder, 'pulumi'),
    pulumiEnvironment: home.environment,
  };
}
