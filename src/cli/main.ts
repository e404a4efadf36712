import { Command, CommanderError } from 'commander';
import { failureLine } from '../core/failureLine.js';
import { isGateError } from '../core/gateError.js';
import { addEvidenceCommand } from './evidenceCommand.js';
import { exitCodeOf } from './exitCode.js';
import { installInterrupts } from './interrupt.js';
import { addLabCommands } from './labCommands.js';
import { addStartCommands } from './startCommands.js';
import { addSynthCommand } from './synthCommand.js';
import { addTriggerCommand } from './triggerCommand.js';

/** The command line; how it ends is {@link exitCodeOf}. */
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
  addEvidenceCommand(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error);
    process.stderr.write(`${failureLine(error)}\n`);
    if (!isGateError(error) && error instanceof Error && process.env['RAYGATE_DEBUG'])
      process.stderr.write(`${error.stack}\n`);
    return exitCodeOf(error);
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
