import { Command, CommanderError } from 'commander';
import { failureLine, isGateError } from '../core/gateError.js';
import { addExplainCommand } from './explainCommand.js';
import { installInterrupts } from './interrupt.js';
import { addLabCommands } from './labCommands.js';
import { addStartCommands } from './startCommands.js';
import { addStatusCommand } from './statusCommand.js';
import { addSynthCommand } from './synthCommand.js';
import { addTriggerCommand } from './triggerCommand.js';

/** The command line. Exit codes: 0 done, 1 a named failure, 2 wrong usage. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('raygate')
    .description('Deploy a Ray-on-Kubernetes stack to a local cluster, and prove that what runs is what was committed.')
    .exitOverride()
    .showHelpAfterError();
  installInterrupts((line) => process.stderr.write(`${line}\n`));
  addStartCommands(program);
  addLabCommands(program);
  addSynthCommand(program);
  addTriggerCommand(program);
  addExplainCommand(program);
  addStatusCommand(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    // A command whose answer is a no has said why itself.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${failureLine(error)}\n`);
    if (!isGateError(error) && error instanceof Error && process.env['RAYGATE_DEBUG'])
      process.stderr.write(`${error.stack}\n`);
    return isGateError(error) && (error.layer === 'settings' || error.layer === 'usage') ? 2 : 1;
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
