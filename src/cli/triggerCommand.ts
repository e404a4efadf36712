import type { Command } from 'commander';
import { projectFolder } from './projectFolder.js';
import { changedPaths } from './trigger/changedPaths.js';
import { decideTrigger, type PathDecision, type TriggerDecision } from './trigger/decide.js';
import { triggerRows } from './trigger/rows.js';

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger')
    .description('What a change needs: whether the gate must pass, and whether with a cold Ray.')
    .option('--since <ref>', 'what the change is measured from: where the branch left it', 'HEAD')
    .option('--json', 'the decision of each path too', false)
    .action(async ({ since, json }: { readonly since: string; readonly json: boolean }) => {
      const decision = decideTrigger(await changedPaths(projectFolder, since), triggerRows);
      process.stdout.write(json ? `${JSON.stringify(decision, null, 2)}\n` : `${triggerLines(decision).join('\n')}\n`);
    });
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
  return ` (${path}: row ${row.row}, ${row.reason})`;
}
