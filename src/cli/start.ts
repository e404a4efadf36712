import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cluster } from '../cluster/cluster.js';
import { withCluster } from '../cluster/withCluster.js';
import { GateError } from '../core/gateError.js';
import { forgetReport } from '../gate/flows/failureReport.js';
import { takeLayerTime } from '../gate/flows/layerTime.js';
import { evidenceFiles } from '../gate/report/evidenceFiles.js';
import { readSource } from '../host/git.js';
import { withPrivateFolder } from '../host/privateFolder.js';
import type { Settings } from '../infra/settings.js';
import { type LabPaths, labPaths } from '../lab/paths.js';
import { type CredentialsReport, ensureCredentials, readCredentials } from './credentials.js';
import { failedUpdatePage } from './failedUpdate.js';
import { namedKubeconfig } from './givenKubeconfig.js';
import { givenPath } from './givenPath.js';
import { letEnd } from './interrupt.js';
import { labUp } from './labCommands.js';
import { type ProgressDisplay, progressDisplay } from './progress.js';
import { projectFolder } from './projectFolder.js';
import { ensurePulumiHome, type PulumiHome } from './pulumi/home.js';
import { builtPulumi, installedOrBuiltPulumi } from './pulumi/programs.js';
import { releaseDeadLock } from './pulumi/stackLock.js';
import { openStack, type UpdateResult, update } from './pulumi/update.js';
import { isPassing, lacksOnlyTheSecret, updateError } from './pulumi/updateFailure.js';
import { chooseStack, labSettings, proposeStackFile } from './stackFile.js';
import { parseStackSettings, readStackSettings } from './stackSettings.js';

export interface StartOptions {
  /** A local context of the user's own; undefined: the embedded lab. */
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** How often an update that ended on something passing (an API server that went away) is run again. */
const attempts = 4;

/**
 * From whatever is there to a proven deployment: lab, stack file, `pulumi up`, credentials, evidence. What needs the settings is
 * asked before they are stored: a refused start leaves no stack file and remembers no `--kubeconfig`.
 */
export async function start(options: StartOptions): Promise<void> {
  const choice = chooseStack(options.context);
  const isLab = options.context === undefined;
  if (isLab && options.kubeconfig !== undefined) throw kubeconfigWithoutContext();
  await assertCommitted();
  const paths = labPaths();
  const stateFolder = join(paths.stacksFolder, choice.stack);
  const file = await proposeStackFile(choice, { stateFolder, ...(isLab ? labSettings(paths) : userSettings(options)) });
  const settings = parseStackSettings(file.text, choice.stack, file.source);
  const display = progressDisplay({ stream: process.stderr });
  try {
    if (isLab) await labUp(paths, false, true);
    const { secret } = await withStackCluster(settings, readCredentials).catch((error: unknown) => {
      const source = { flag: options.kubeconfig !== undefined, file: file.source };
      throw isLab ? error : namedKubeconfig(error, settings.kubeconfig, source);
    });
    const programs = await (isLab ? builtPulumi : installedOrBuiltPulumi)(paths, display.report);
    const home = await ensurePulumiHome(paths.pulumiFolder, programs);
    await file.store();
    const heal = isLab ? () => healLab(paths, display) : undefined;
    await forgetReport(stateFolder);
    const time = takeLayerTime();
    const runUpdate = () => updateUntilSettled(choice.stack, home, display, heal);
    const result = await (secret ? runUpdate() : updateWithNewCredentials(settings, runUpdate, display.say));
    if (!result.ok) {
      const error = updateError(result.errors);
      const platform = isLab ? 'lab' : choice.template;
      const page = await failedUpdatePage({ stateFolder, platform, error, time: time() });
      if (page !== undefined) display.say(`report: ${page}`);
      throw error;
    }
    process.stdout.write(`${await summary(result)}\n`);
  } finally {
    display.end();
  }
}

function userSettings({ context, kubeconfig }: StartOptions): Readonly<Record<string, string>> {
  return {
    ...(context === undefined ? {} : { context }),
    ...(kubeconfig === undefined ? {} : { kubeconfig: givenPath('--kubeconfig', kubeconfig) }),
  };
}

function kubeconfigWithoutContext(): GateError {
  return new GateError({
    layer: 'usage',
    code: 'usage.kubeconfig-without-context',
    message: '--kubeconfig is of a cluster of your own: give its context too, with --context NAME',
  });
}

/** Asked before anything is brought up: preflight would say the same, minutes later. */
async function assertCommitted(): Promise<void> {
  const reading = await readSource(projectFolder);
  if (reading.ok) return;
  const { code, detail } = reading.problem;
  throw new GateError({ layer: 'preflight', code: `preflight.${code}`, message: detail });
}

/** Namespace and Secret of a stack's cluster, so that preflight finds a token and a server-side dry run has a namespace. */
export async function makeCredentials(stack: string): Promise<CredentialsReport> {
  return withStackCluster(await readStackSettings(stack), ensureCredentials);
}

function withStackCluster<T>(
  { kubeconfig, context }: Pick<Settings, 'kubeconfig' | 'context'>,
  act: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const source = { kubeconfigPath: kubeconfig, context, inFolder: withPrivateFolder, reachableSeconds: 20 };
  return withCluster(source, act);
}

/**
 * The update where there are no credentials yet: its preflight is let run into that first. They are made only once it has found
 * nothing else, so that what is refused for another reason leaves nothing in the user's cluster.
 */
async function updateWithNewCredentials(
  settings: Settings,
  runUpdate: () => Promise<UpdateResult>,
  say: (line: string) => void,
): Promise<UpdateResult> {
  const result = await runUpdate();
  if (result.ok || !lacksOnlyTheSecret(result.errors)) return result;
  await withStackCluster(settings, ensureCredentials);
  say('credentials: Namespace and Secret created, with random values');
  return runUpdate();
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

async function healLab(paths: LabPaths, display: ProgressDisplay): Promise<void> {
  display.say('lab: looking after it');
  await labUp(paths, false, true);
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
    `page: ${join(dirname(text('evidence')), evidenceFiles.page)}`,
  ].join('\n');
}
