import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { GateError } from '../core/gateError.js';
import { givenPlace } from './givenPath.js';
import { projectFolder } from './projectFolder.js';
import { changeLines, fileChanges } from './synth/changes.js';
import { type SynthChartName, synthChartNames } from './synth/charts.js';
import { readFolder, replaceFolder } from './synth/outputFolder.js';
import { renderManifests, type SynthFormat, synthFormats } from './synth/renderManifests.js';
import { staleness } from './synth/staleness.js';

interface SynthOptions {
  readonly chart: SynthChartName | 'all';
  readonly format: SynthFormat | 'all';
  readonly out: string;
  readonly check: boolean;
}

const committedFolder = join(projectFolder, 'manifests');

export function addSynthCommand(program: Command): void {
  program
    .command('synth')
    .description(
      'Write the manifests of what is deployed, and say which files changed; needs no cluster, no Docker and no network.',
    )
    .addOption(new Option('--chart <name>', 'which chart').choices([...synthChartNames, 'all']).default('all'))
    .addOption(new Option('--format <name>', 'in which form').choices([...synthFormats, 'all']).default('all'))
    .addOption(
      new Option('--out <folder>', 'the folder that is replaced').default(committedFolder, 'manifests of the checkout'),
    )
    .option('--check', 'write nothing; fail with a diff when the folder is stale', false)
    .action((options: SynthOptions) => synth(options));
}

async function synth(options: SynthOptions): Promise<void> {
  const { chart, format, check } = options;
  const folder = givenPlace('--out', options.out);
  const files = renderManifests(
    chart === 'all' ? synthChartNames : [chart],
    format === 'all' ? synthFormats : [format],
  );
  if (!check) {
    const changes = fileChanges(await replaceFolder(folder, files), files);
    process.stdout.write(`${changeLines(changes, files.size, folder).join('\n')}\n`);
    return;
  }
  const standing = await readFolder(folder);
  if (standing === undefined) {
    throw new GateError({
      layer: 'usage',
      code: 'usage.no-folder',
      message: `there is no folder ${folder} to check: write it with ${renderingCommand(options, folder)}`,
    });
  }
  const stale = staleness(standing, files);
  if (stale === undefined) {
    process.stdout.write(`${files.size} files in ${folder} are as rendered\n`);
    return;
  }
  process.stdout.write(`${stale.lines.join('\n')}\n`);
  throw new GateError({
    layer: 'synth',
    code: 'synth.stale',
    message: `${folder} is stale (${stale.paths.length} of its files): run ${renderingCommand(options, folder)} and commit what it writes`,
  });
}

/** The command that renders what was asked for. */
function renderingCommand({ chart, format }: SynthOptions, folder: string): string {
  const given = [
    ['--chart', chart, 'all'],
    ['--format', format, 'all'],
    ['--out', folder, committedFolder],
  ].filter(([, value, usual]) => value !== usual);
  return ['raygate synth', ...given.map(([option, value]) => `${option} ${value}`)].join(' ');
}
