import { stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { GateError } from '../core/gateError.js';
import { readFailure } from '../gate/flows/failureReport.js';
import { evidenceFolder } from '../gate/flows/stateFolder.js';
import { fileExists } from '../host/fileExists.js';
import { readHead } from '../host/git.js';
import { labStack } from '../lab/paths.js';
import { showEvidence } from './evidence/show.js';
import { verifyEvidence } from './evidence/verify.js';
import { givenPlace } from './givenPath.js';
import { projectFolder } from './projectFolder.js';
import { readStackSettings } from './stackSettings.js';

interface PlaceOptions {
  readonly stack: string;
}

export function addEvidenceCommand(program: Command): void {
  const evidence = program.command('evidence').description('What a proven run left, checked anew or shown.');
  const stackOption = ['--stack <name>', 'whose evidence, when no path is given', labStack] as const;
  evidence
    .command('verify')
    .description('Check that an evidence is whole and that every line of it follows from its observations.')
    .argument('[path]', 'evidence.json, or the folder that it lies in')
    .option(...stackOption)
    .addOption(
      new Option('--checkout <folder>', 'the checkout whose HEAD the evidence must be of').default(
        projectFolder,
        'the one that raygate runs from',
      ),
    )
    .option('--no-checkout', 'look at the files alone')
    .action(async (path: string | undefined, { stack, checkout }: PlaceOptions & { checkout: string | false }) => {
      await verifyEvidence({
        path: path === undefined ? await folderOf(stack) : givenPlace('PATH', path),
        checkout: checkout === false ? undefined : await givenCheckout(checkout),
        programTree: (await readHead(projectFolder))?.tree,
        say: (line) => process.stdout.write(`${line}\n`),
      });
    });
  evidence
    .command('show')
    .description('Print an evidence: layers with their times, each key whole and what it rests on.')
    .argument('[path]', 'evidence.json, or the folder that it lies in')
    .option(...stackOption)
    .action(async (path: string | undefined, { stack }: PlaceOptions) => {
      const lines = path === undefined ? await showStack(stack) : await showEvidence(givenPlace('PATH', path));
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}

async function givenCheckout(path: string): Promise<string> {
  const folder = givenPlace('--checkout', path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  throw new GateError({
    layer: 'usage',
    code: 'usage.no-checkout',
    message: `there is no folder ${folder}: give --checkout one, or --no-checkout`,
  });
}

async function folderOf(stack: string): Promise<string> {
  return evidenceFolder((await readStackSettings(stack)).stateFolder);
}

/** With a word of the last run, when that has failed: what is shown is then of an earlier one. */
async function showStack(stack: string): Promise<readonly string[]> {
  const { stateFolder } = await readStackSettings(stack);
  const failures = (await readFailure(stateFolder)) ?? [];
  const folder = evidenceFolder(stateFolder);
  if (failures.length > 0 && !(await fileExists(folder)))
    return ['nothing is proven; the last run failed:', ...failures];
  const shown = await showEvidence(folder);
  return failures.length > 0 ? ['the last run failed, and this is an earlier one:', ...failures, '', ...shown] : shown;
}
