import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openCluster } from '../../cluster/client.js';
import { readSnapshotContent, takeSnapshot } from '../../cluster/snapshot.js';
import { oneLine, textBounds } from '../../core/boundedText.js';
import { deadlineIn } from '../../core/deadline.js';
import { soundsPassing } from '../../core/foreignText.js';
import { GateError, isGateError, restated } from '../../core/gateError.js';
import { createRedactor } from '../../core/redaction.js';
import { readCommitted, readSource, unpackCommit } from '../../host/git.js';
import { sweepPrivateFolders, withPrivateFolder } from '../../host/privateFolder.js';
import { isProcessFailure } from '../../host/process.js';
import { gateNamespace } from '../model/kinds.js';
import type { LayerTime } from '../model/observation.js';
import type { PlannedManifest, RunPlan } from '../model/plan.js';
import { readPlanContracts } from '../model/planContracts.js';
import { fingerprintOf, planPartsOf } from '../model/planParts.js';
import { ignoreListProblem, ignoreLists } from '../rules/ignoreList.js';
import { readWebBase } from '../rules/webUrl.js';
import { readApiToken } from './apiToken.js';
import { decideRun, type RunDecision } from './decideRun.js';
import { type EnforcementPlan, readRetired } from './enforcement.js';
import { preflightMark } from './evidenceReport.js';
import { forgetReport, reportPreflightFailure } from './failureReport.js';
import { takeLayerTime } from './layerTime.js';
import type { PinnedSource } from './pinSource.js';
import { checkCluster, dryRunObjects } from './preflightCluster.js';
import { checkDocker } from './preflightDocker.js';
import { runFolder } from './stateFolder.js';

export interface PreflightOptions {
  readonly pinned: PinnedSource;
  readonly objects: readonly PlannedManifest[];
  /** What the inventory's checker found; anything in it is a failure. */
  readonly inventoryProblems: readonly string[];
  readonly kubeconfig: string;
  readonly context: string;
  readonly platform: string;
  readonly dockerHost: string | undefined;
  readonly dockerConfig: string | undefined;
  readonly rayRestart: 'required' | 'skip';
  readonly drain: 'wait' | 'skip';
  readonly attempt: string | undefined;
  /** Their effect is in the objects; the names say why those changed. */
  readonly profile: string;
  readonly runtimeEnvAccess: string;
  /** Whether objects under our names that are not ours are taken over. */
  readonly adopt: boolean;
  /** Whom the run acts as, and what must be applied for that. Default: the user himself. */
  readonly enforcement?: EnforcementPlan | undefined;
  readonly webUrl: string;
  readonly prometheusUrl: string;
  readonly stateFolder: string;
  readonly deadlines: Readonly<Record<string, number>>;
  /** A preview leaves nothing behind: its snapshot lives in a private folder that is gone afterwards. */
  readonly preview: boolean;
}

export interface PreflightResult {
  readonly plan: RunPlan;
  readonly decision: RunDecision;
  /** A secret: the pinned kubeconfig's text, for Pulumi's provider. With enforcement it acts as the account. */
  readonly kubeconfigContent: string;
  /** A secret: the same without acting as anybody else, for the enforcement's own objects. */
  readonly ownKubeconfigContent: string;
  /** What preflight could not know, one line each. */
  readonly notes: readonly string[];
  /** Identities that an earlier plan applied and this one lets the account delete. */
  readonly retired: readonly string[];
  readonly certificateAuthoritySha256: string;
}

const requiredFiles = ['app/Dockerfile', 'app/Dockerfile.ray', 'app/pyproject.toml', 'app/requirements.lock'];

/**
 * Everything that can be known before anything is changed: settings, source, kubeconfig, Docker, what the cluster has, the plan's
 * own promises. Changes nothing. Throws `GateError` of layer preflight at the first violation, redacted.
 */
export async function preflight(options: PreflightOptions): Promise<PreflightResult> {
  const redactor = createRedactor();
  const time = takeLayerTime();
  const bounded = (text: string) => oneLine(redactor.clean(text), textBounds.secondaryContext.characters);
  try {
    await sweepPrivateFolders();
    const result = await withPrivateFolder((folder) => check(options, folder, redactor));
    await keepTime(options, result.decision, time());
    return result;
  } catch (error) {
    const failure = asPreflightError(error, bounded);
    // A preview leaves nothing behind, and a report that cannot be written must not hide why.
    const place = { stateFolder: options.stateFolder, platform: options.platform, source: options.pinned.source };
    if (!options.preview) await reportPreflightFailure(place, failure, time()).catch(() => {});
    throw failure;
  }
}

function asPreflightError(error: unknown, bounded: (text: string) => string): GateError {
  if (isGateError(error)) return restated(error, { message: bounded(error.message) });
  const code = isProcessFailure(error) ? 'preflight.command' : 'preflight.internal';
  const message = bounded(error instanceof Error ? error.message : String(error));
  return new GateError({ layer: 'preflight', code, message, retryable: soundsPassing(message) });
}

/** Left in the folder of the run that follows, for its evidence; a proof that still holds has its own. */
async function keepTime({ preview, stateFolder }: PreflightOptions, decision: RunDecision, time: LayerTime) {
  if (preview) return;
  await forgetReport(stateFolder);
  if (decision.kind !== 'still-proven') await runFolder(stateFolder, decision.runId).writeMark(preflightMark, time);
}

async function check(
  options: PreflightOptions,
  folder: string,
  redactor: ReturnType<typeof createRedactor>,
): Promise<PreflightResult> {
  const { pinned, objects, deadlines } = options;
  const deadline = deadlineIn(deadlines['preflight'] ?? 120);
  const base = readWebBase(options.webUrl);
  if (!base.ok) throw problem('web-url', `raygate:webUrl is refused: ${base.problem}.`);
  const prometheus = readWebBase(options.prometheusUrl);
  if (!prometheus.ok) throw problem('prometheus-url', `raygate:prometheusUrl is refused: ${prometheus.problem}.`);
  await checkTree(pinned, folder, commandSeconds(options));
  const [firstProblem] = options.inventoryProblems;
  if (firstProblem !== undefined) {
    throw problem(
      'inventory',
      `${options.inventoryProblems.length} inventory problems: ${options.inventoryProblems.slice(0, 5).join('; ')}`,
    );
  }
  const reading = readPlanContracts(objects, pinned.release.app.reference);
  if (!reading.ok) throw problem('contract', `The plan cannot be proven: ${reading.problems.join('; ')}.`);
  const dockerHost = await checkDocker(options, commandSeconds(options));
  const directory = options.preview ? join(folder, 'kubeconfig') : options.stateFolder;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const from = { kubeconfigPath: options.kubeconfig, context: options.context, directory, redactor };
  const snapshot = await takeSnapshot(from);
  const acting = await takeSnapshot({ ...from, actAs: options.enforcement?.username });
  const cluster = await openCluster(snapshot, { requestTimeoutSeconds: deadlines['request'] ?? 30 });
  try {
    const persist = { layer: 'preflight', deadline, cluster } as const;
    const { contracts } = reading;
    const { rayVersion } = contracts.topology;
    const retired = options.enforcement ? await readRetired(options.enforcement, objects, acting, persist) : [];
    const enforcement = options.enforcement?.confine(retired);
    const all = [...objects, ...(enforcement?.objects ?? [])];
    const place = { objects: all, host: base.base.host, adopt: options.adopt, rayVersion };
    const { operator, notes } = await checkCluster(place, persist);
    // Nothing but the Secret and what follows from it is left to be wrong: `raygate start` makes the Secret only then.
    await readApiToken(redactor, persist);
    await dryRunObjects(all, persist);
    const { sha256, context, server, certificateAuthoritySha256 } = acting;
    const release = { ...pinned.release };
    // What is only left to be deleted is none of the deployment.
    const deployed = [...objects, ...(options.enforcement?.confine([]).objects ?? [])];
    const parts = planPartsOf(
      { ...options, objects: deployed },
      { server, certificateAuthoritySha256, kubeRay: operator.version },
    );
    const plan: RunPlan = {
      schema: 'raygate.plan/1',
      platform: options.platform,
      namespace: gateNamespace,
      stateFolder: options.stateFolder,
      fingerprint: fingerprintOf(parts),
      parts,
      kubeconfig: {
        path: join(options.stateFolder, `kubeconfig-${sha256.slice(0, 16)}.json`),
        sha256,
        context,
        server,
      },
      ...(options.enforcement &&
        enforcement && { account: { username: options.enforcement.username, rules: enforcement.rules } }),
      docker: {
        host: dockerHost,
        ...(options.dockerConfig === undefined ? {} : { configFolder: options.dockerConfig }),
      },
      source: pinned.source,
      release,
      ray: {
        topology: contracts.topology,
        restart: options.rayRestart,
        operatorVersion: operator.version,
        templates: contracts.rayTemplates,
      },
      deployments: contracts.deployments,
      supporting: contracts.supporting,
      setup: contracts.setup,
      webUrl: options.webUrl,
      prometheusUrl: options.prometheusUrl,
      drain: options.drain,
      deadlines,
    };
    const decision = await decideRun(plan, persist);
    const again = await readSource(pinned.source.root, commandSeconds(options));
    if (!again.ok) throw problem(again.problem.code, again.problem.detail);
    if (again.source.commit !== pinned.source.commit)
      throw problem('source.moved', 'HEAD moved during preflight: run again.');
    return {
      plan,
      decision,
      kubeconfigContent: await readSnapshotContent(acting),
      ownKubeconfigContent: await readSnapshotContent(snapshot),
      retired,
      notes,
      certificateAuthoritySha256,
    };
  } finally {
    await cluster.close();
  }
}

/** The committed content, unpacked as a build would see it, and the allow-lists that bound what reaches Docker. */
async function checkTree({ source }: PinnedSource, folder: string, seconds: number): Promise<void> {
  const unpacked = join(folder, 'source');
  await mkdir(unpacked, { mode: 0o700 });
  await unpackCommit(source, unpacked, requiredFiles, seconds);
  for (const contract of ignoreLists) {
    const wrong = ignoreListProblem(contract, await readCommitted(source, contract.path, seconds));
    if (wrong !== undefined) throw problem('ignore-list', wrong);
  }
}

function commandSeconds(options: PreflightOptions): number {
  return options.deadlines['command'] ?? 120;
}

function problem(code: string, message: string): GateError {
  return new GateError({ layer: 'preflight', code: `preflight.${code}`, message });
}
