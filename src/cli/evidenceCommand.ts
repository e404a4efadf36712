import type { Command } from 'commander';
import { readFailure } from '../gate/flows/failureReport.js';
import { evidenceFolder } from '../gate/flows/stateFolder.js';
import { fileExists } from '../host/fileExists.js';
import { labStack } from '../lab/paths.js';
import { showEvidence } from './evidence/show.js';
import { verifyEvidence } from './evidence/verify.js';
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
    .option('--checkout <folder>', 'the checkout whose HEAD the evidence must be of', '.')
    .option('--no-checkout', 'look at the files alone')
    .action(async (path: string | undefined, { stack, checkout }: PlaceOptions & { checkout: string | false }) => {
      await verifyEvidence({
        path: path ?? (await folderOf(stack)),
        checkout: checkout === false ? undefined : checkout,
        say: (line) => process.stdout.write(`${line}\n`),
      });
    });
  evidence
    .command('show')
    .description('Print an evidence: layers with their times, each key whole and what it rests on.')
    .argument('[path]', 'evidence.json, or the folder that it lies in')
    .option(...stackOption)
    .action(async (path: string | undefined, { stack }: PlaceOptions) => {
      const lines = path === undefined ? await showStack(stack) : await showEvidence(path);
      process.stdout.write(`${lines.join('\n')}\n`);
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
