import { join } from 'node:path';
import type { Command } from 'commander';
import { fileExists } from '../host/fileExists.js';
import { type LabPaths, labPaths, labStack } from '../lab/paths.js';
import { isBuilt, unitFolder } from '../lab/toolchain/build.js';
import { goVersion } from '../lab/toolchain/goModule.js';
import { putDockerClientFirst } from '../lab/toolchain/tools.js';
import { progressDisplay } from './progress.js';
import { ensurePulumiHome, type PulumiHome } from './pulumi/home.js';
import { builtPulumi } from './pulumi/programs.js';
import { type LabAccess, shellEnvironment, shellExports } from './shellEnvironment.js';
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
    .description(
      'Print the environment for a plain pulumi, and for docker and kubectl on the lab: eval "$(npm run --silent raygate -- env)".',
    )
    .option('--json', 'where the parts of the lab are, for programs', false)
    .action(async ({ json }: { json: boolean }) => {
      const paths = labPaths();
      const display = progressDisplay({ stream: process.stderr });
      try {
        await putDockerClientFirst({ binFolder: paths.binFolder, go: await goVersion() });
        const home = await ensurePulumiHome(paths.pulumiFolder, await builtPulumi(paths, display.report));
        process.stdout.write(
          json
            ? `${JSON.stringify(await labParts(paths, home))}\n`
            : shellExports(shellEnvironment(home.environment, await labAccess(paths))),
        );
      } finally {
        display.end();
      }
    });
}

/** Undefined before the first `lab up`: there is nothing to reach. */
async function labAccess(paths: LabPaths): Promise<LabAccess | undefined> {
  if (!(await fileExists(paths.kubeconfig))) return undefined;
  const options = { binFolder: paths.binFolder, go: await goVersion() };
  const programFolders = (await isBuilt('kubernetes', options)) ? [await unitFolder('kubernetes', options)] : [];
  return { ...labSettings(paths), programFolders };
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
