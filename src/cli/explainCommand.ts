import type { Command } from 'commander';
import { oneLine } from '../core/boundedText.js';
import { GateError } from '../core/gateError.js';
import { readingCluster } from '../gate/flows/readingCluster.js';
import { explainedKinds, readNamespace } from '../gate/flows/readNamespace.js';
import type { Explanation, NamespaceFacts } from '../gate/model/namespaceFacts.js';
import { explainNamespace } from '../gate/rules/explainNamespace.js';
import { labStack } from '../lab/paths.js';
import { withStackCluster } from './stackCluster.js';

/** A line on a terminal. */
const lineCharacters = 500;
const namesAKind = 20;

interface ExplainOptions {
  readonly stack: string;
  readonly json: boolean;
}

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('Say why something is not as it should be, and what to do. Reads only.')
    .command('namespace <name>')
    .description('Why a namespace is not converged, or does not end. Exit code 1 when there is a reason.')
    .option('--stack <name>', 'whose Pulumi.NAME.yaml says which cluster', labStack)
    .option('--json', 'the whole answer, for programs', false)
    .action(explain);
}

async function explain(name: string, { stack, json }: ExplainOptions): Promise<void> {
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
    const message = `'${oneLine(name, 100)}' is no name of a namespace: lower-case letters, digits and - only`;
    throw new GateError({ layer: 'usage', code: 'usage.namespace', message });
  }
  const { facts, clean } = await withStackCluster(
    stack,
    async (cluster, { redactor }) => {
      const read = await readNamespace(readingCluster(cluster, explainedKinds), name);
      if (read.kind === 'found') return { facts: read.value, clean: redactor.clean };
      if (read.kind === 'absent') throw failure('absent', `Namespace ${name} does not exist`);
      throw failure('unreadable', `Namespace ${name} cannot be read: ${read.reason}`, read.retryable);
    },
    5,
  );
  const explanation = explainNamespace(facts);
  process.stdout.write(
    json ? `${clean(JSON.stringify(asJson(explanation, facts)))}\n` : asText(explanation, facts, clean),
  );
  // What was found is said already: only the exit code is missing.
  if (explanation.state !== 'converged') process.exitCode = 1;
}

function failure(code: string, message: string, retryable = false): GateError {
  return new GateError({ layer: 'explain', code: `explain.${code}`, message, retryable });
}

/** One screen: each reason with its next step, then what is left. */
export function asText(
  { summary, causes, leftOut }: Explanation,
  { remaining, deletedAt }: NamespaceFacts,
  clean: (text: string) => string,
): string {
  const line = (indent: string, text: string) => `${indent}${oneLine(clean(text), lineCharacters)}\n`;
  const kinds = remaining.map((kind) => `${kind.kind} ${kind.objects.length + kind.leftOut}`);
  return [
    line('', summary),
    ...causes.flatMap(({ what, next }, i) => [line(`${i + 1}. `.padStart(4), what), line('    next: ', next)]),
    ...(leftOut > 0 ? [line('    ', `and ${leftOut} more`)] : []),
    ...(deletedAt !== undefined && kinds.length > 0 ? [line('left: ', kinds.join(', '))] : []),
  ].join('');
}

export function asJson(explanation: Explanation, facts: NamespaceFacts) {
  const remaining = facts.remaining.map(({ kind, objects, leftOut }) => ({
    kind,
    count: objects.length + leftOut,
    objects: objects.slice(0, namesAKind).map(({ name, deletedAt, finalizers, owners }) => {
      return { name, deletedAt, finalizers, owners: owners.map((owner) => `${owner.kind} ${owner.name}`) };
    }),
  }));
  return { schema: 'raygate.explanation/1', ...explanation, controllers: facts.controllers, remaining };
}
