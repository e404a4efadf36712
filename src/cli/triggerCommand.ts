import type { Command } from 'commander';
import { labStack } from '../lab/paths.js';
import { projectFolder } from './projectFolder.js';
import { type Baseline, chooseBaseline } from './trigger/baseline.js';
import { changedPaths } from './trigger/changedPaths.js';
import { decideTrigger, type PathDecision, type TriggerDecision } from './trigger/decide.js';
import { provenCommit } from './trigger/provenCommit.js';
import { triggerRows } from './trigger/rows.js';

interface TriggerOptions {
  readonly since?: string;
  readonly stack: string;
  readonly json: boolean;
}

const pathsShown = 5;

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger')
    .description('What a change needs: whether the gate must pass, and whether with a cold Ray.')
    .option(
      '--since <ref>',
      'what the change is measured from: where HEAD left it (default: the commit that was last proven, else where HEAD left its upstream, else the one before)',
    )
    .option('--stack <name>', 'whose evidence says what was last proven', labStack)
    .option('--json', 'the decision of each path too', false)
    .action(async ({ since, stack, json }: TriggerOptions) => {
      const comparedWith = await chooseBaseline(projectFolder, since, await provenCommit(stack));
      const { paths, uncommitted } = await changedPaths(projectFolder, comparedWith.id);
      const decision = decideTrigger(paths, triggerRows);
      const lines = [...measureLines(comparedWith, uncommitted), ...triggerLines(decision)];
      const answer = { comparedWith, uncommitted, ...decision };
      process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : `${lines.join('\n')}\n`);
    });
}

/** What the answers rest on. */
export function measureLines({ words }: Baseline, uncommitted: readonly string[]): readonly string[] {
  const compared = `compared with: ${words}`;
  if (uncommitted.length === 0) return [compared];
  const more = uncommitted.length - pathsShown;
  const named = `${uncommitted.slice(0, pathsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [compared, `uncommitted, counted too (the gate proves committed trees only): ${named}`];
}

/** Two answers, each with the path and the row that decided. */
export function triggerLines(decision: TriggerDecision): readonly string[] {
  if (decision.paths.length === 0) return ['gate: not applicable (nothing changed)', 'Ray restart: skip'];
  return [
    `gate: ${decision.gate}${because(decision.gateDecidedBy)}`,
    `Ray restart: ${decision.rayRestart}${decision.rayRestart === 'skip' ? '' : because(decision.restartDecidedBy)}`,
  ];
}

function because(decided: PathDecision | undefined): string {
  if (!decided) return '';
  const { path, row } = decided;
  if (!row) return ` (${path}: no row covers it, so it is taken for the strongest; give it one)`;
  return ` (${path}: ${row.reason}; row ${row.row} of src/cli/trigger/rows.ts)`;
}
