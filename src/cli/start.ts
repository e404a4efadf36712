import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../core/gateError.js';
import { readSource } from '../host/git.js';
import { type LabPaths, labPaths } from '../lab/paths.js';
import { type CredentialsReport, ensureCredentials, readCredentials } from './credentials.js';
import { letEnd } from './interrupt.js';
import { labUp } from './labCommands.js';
import { type ProgressDisplay, progressDisplay } from './progress.js';
import { projectFolder } from './projectFolder.js';
import { ensurePulumiHome, type PulumiHome } from './pulumi/home.js';
import { builtPulumi, installedOrBuiltPulumi } from './pulumi/programs.js';
import { releaseDeadLock } from './pulumi/stackLock.js';
import { openStack, type UpdateResult, update } from './pulumi/update.js';
import { withStackCluster } from './stackCluster.js';
import { chooseStack, ensureStackFile, labSettings } from './stackFile.js';

export interface StartOptions {
  /** A local context of the user's own; undefined: the embedded lab. */
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** How often an update that ended on something passing (an API server that went away) is run again. */
const attempts = 4;

/** From whatever is there to a proven deployment: lab, credentials, stack file, `pulumi up`, evidence. */
export async function start(options: StartOptions): Promise<void> {
  const choice = chooseStack(options.context);
  await assertCommitted();
  const paths = labPaths();
  const display = progressDisplay({ stream: process.stderr });
  try {
    const isLab = options.context === undefined;
    if (isLab) await labUp(paths, false, true);
    const programs = await (isLab ? builtPulumi : installedOrBuiltPulumi)(paths, display.report);
    const home = await ensurePulumiHome(paths.pulumiFolder, programs);
    const stateFolder = join(paths.stacksFolder, choice.stack);
    await ensureStackFile(choice, { stateFolder, ...(isLab ? labSettings(paths) : userSettings(options)) });
    const heal = isLab ? () => healLab(paths, display) : undefined;
    const result = await updateWithCredentials(choice.stack, home, display, heal);
    if (!result.ok) throw updateError(result);
    process.stdout.write(`${await summary(result)}\n`);
  } finally {
    display.end();
  }
}

function userSettings(options: StartOptions): Readonly<Record<string, string>> {
  return {
    ...(options.context === undefined ? {} : { context: options.context }),
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
  };
}

/** Asked before anything is brought up: preflight would say the same, minutes later. */
async function assertCommitted(): Promise<void> {
  const reading = await readSource(projectFolder);
  if (reading.ok) return;
  const { code, detail } = reading.problem;
  throw new GateError({ layer: 'preflight', code: `preflight.${code}`, message: detail });
}

/** Namespace and Secret of a stack's cluster, so that preflight finds a token and a server-side dry run has a namespace. */
export function makeCredentials(stack: string): Promise<CredentialsReport> {
  return withStackCluster(stack, ensureCredentials);
}

/**
 * The update. Where there are no credentials yet, its preflight is let run into that first: they are made only once it has found
 * nothing else, so that what is refused for another reason leaves nothing in the user's cluster.
 */
async function updateWithCredentials(
  stack: string,
  home: PulumiHome,
  display: ProgressDisplay,
  heal: (() => Promise<void>) | undefined,
): Promise<UpdateResult> {
  const { secret } = await withStackCluster(stack, readCredentials);
  const result = await updateUntilSettled(stack, home, display, heal);
  const lacksOnlyTheSecret = result.errors.some((error) => error.includes('(preflight.secret-absent)'));
  if (secret || result.ok || !lacksOnlyTheSecret) return result;
  await makeCredentials(stack);
  display.say('credentials: Namespace and Secret created, with random values');
  return updateUntilSettled(stack, home, display, heal);
}

async function updateUntilSettled(
  stackName: string,
  home: PulumiHome,
  display: ProgressDisplay,
  heal: (() => Promise<void>) | undefined,
): Promise<UpdateResult> {
  const stack = await openStack(stackName, home);
  if (await releaseDeadLock(stack, home)) display.say('pulumi: the lock of an update that was killed is taken away');
  for (let attempt = 1; ; attempt += 1) {
    const result = await letEnd(() => update(stack, display.report, display.say));
    if (result.ok || attempt === attempts || !isPassing(result.errors)) return result;
    display.say(
      `pulumi up ended on something that passes (${result.errors[0]?.split('\n')[0]}); running it again, ${attempt + 1} of ${attempts}`,
    );
    await heal?.();
  }
}

/** Errors of Pulumi's own provider, and of steps that call themselves retryable, while the API server is away. */
function isPassing(errors: readonly string[]): boolean {
  return errors.some((error) =>
    /connection refused|connection reset|ECONNREFUSED|ECONNRESET|EOF|i\/o timeout|TLS handshake timeout|unreachable|etcdserver/i.test(
      error,
    ),
  );
}

async function healLab(paths: LabPaths, display: ProgressDisplay): Promise<void> {
  display.say('lab: looking after it');
  await labUp(paths, false, true);
}

function updateError(result: UpdateResult): GateError {
  const lines = result.errors.map((error) => error.trim()).filter((error) => error !== '');
  const named = lines.find((line) => line.includes('FAILED [')) ?? lines[0] ?? 'no reason was given';
  const match = /FAILED \[([a-z-]+)\]: ([^\n]*)/.exec(named);
  return new GateError({
    layer: (match?.[1] ?? 'apply') as GateError['layer'],
    code: 'start.update-failed',
    message: `${match?.[2] ?? named.split('\n')[0]}; what was done stays, and the next npm start or pulumi up goes on from there`,
  });
}

/** The evidence itself, then where it lies. */
async function summary(result: UpdateResult): Promise<string> {
  const changed = Object.entries(result.changes)
    .filter(([operation]) => operation !== 'same')
    .map(([operation, count]) => `${count} ${operation}`);
  const text = (key: string) => String(result.outputs[key] ?? 'not given');
  return [
    (await readFile(text('evidenceLines'), 'utf8')).trimEnd(),
    '',
    `${text('decision')}`,
    `pulumi up: ${changed.join(', ') || 'no changes'}, ${result.seconds.toFixed(1)} s`,
    `report: ${text('evidence')}`,
  ].join('\n');
}
