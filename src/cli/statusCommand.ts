import type { Command } from 'commander';
import type { Cluster } from '../cluster/cluster.js';
import { deadlineIn } from '../core/deadline.js';
import { isGateError } from '../core/gateError.js';
import { pinSource } from '../gate/flows/pinSource.js';
import { readingCluster } from '../gate/flows/readingCluster.js';
import { watchedKinds } from '../gate/flows/readings.js';
import { readStatus, type StatusOptions } from '../gate/flows/readStatus.js';
import { fingerprintOf } from '../gate/model/fingerprint.js';
import { kinds } from '../gate/model/kinds.js';
import { statusText } from '../gate/report/statusText.js';
import { judgeStatus } from '../gate/rules/status.js';
import { applicationRepository, legacyRepository } from '../infra/images.js';
import { stackNamespace } from '../infra/names.js';
import { planObjects } from '../infra/planObjects.js';
import { labStack } from '../lab/paths.js';
import { projectFolder } from './projectFolder.js';
import { type StackCluster, withStackCluster } from './stackCluster.js';

interface StatusCommandOptions {
  readonly stack: string;
  readonly json: boolean;
}

/** Seconds for an API server that is away, and for all that is read of it. */
const patienceSeconds = 5;

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description(
      'What a stack is, by the rules that proved it, and what an up would do. Reads only. Exit code 1 unless proven.',
    )
    .option('--stack <name>', 'whose Pulumi.NAME.yaml says which cluster', labStack)
    .option('--json', 'the whole answer, for programs', false)
    .action(showStatus);
}

async function showStatus({ stack, json }: StatusCommandOptions): Promise<void> {
  const act = async (cluster: Cluster, beside: StackCluster) => {
    const { snapshot, settings, redactor } = beside;
    const looked = readingCluster(cluster, [...watchedKinds, kinds.lease]);
    const persist = { layer: 'status', deadline: deadlineIn(patienceSeconds), cluster: looked } as const;
    const planned = await planNow(beside);
    const { stateFolder } = settings;
    const status = judgeStatus(await readStatus({ namespace: stackNamespace, stateFolder, planned, persist }));
    const head = { stack, context: snapshot.context, server: snapshot.server, namespace: stackNamespace };
    const whole = () => redactor.clean(JSON.stringify({ schema: 'raygate.status/1', ...head, ...status }));
    process.stdout.write(json ? `${whole()}\n` : statusText(head, status, redactor.clean));
    return status.healthy;
  };
  // What was found is said already: only the exit code is missing.
  if (!(await withStackCluster(stack, act, patienceSeconds))) process.exitCode = 1;
}

/** Digest and source of what an `up` would plan. */
async function planNow({ settings, snapshot }: StackCluster): Promise<StatusOptions['planned']> {
  try {
    const pinned = await pinSource({
      projectFolder,
      repositories: { app: applicationRepository, legacy: legacyRepository },
      commandSeconds: settings.deadlines.command,
    });
    const objects = planObjects(settings, pinned);
    const { source, release } = pinned;
    const { rayRestart, attempt } = settings;
    return {
      source,
      fingerprint: fingerprintOf({ tree: source.tree, release, objects, cluster: snapshot, rayRestart, attempt }),
    };
  } catch (error) {
    if (isGateError(error)) return { refused: error.message };
    throw error;
  }
}
