import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openCluster } from '../../cluster/client.js';
import { readSnapshotContent, takeSnapshot } from '../../cluster/snapshot.js';
import { oneLine, textBounds } from '../../core/boundedText.js';
import { deadlineIn } from '../../core/deadline.js';
import { GateError, isGateError } from '../../core/gateError.js';
import { createRedactor } from '../../core/redaction.js';
import { currentDockerEndpoint, dockerServerVersion } from '../../host/docker.js';
import { dockerEndpointProblem } from '../../host/dockerEndpoint.js';
import { readCommitted, readSource, unpackCommit } from '../../host/git.js';
import { sweepPrivateFolders, withPrivateFolder } from '../../host/privateFolder.js';
import { isProcessFailure, run } from '../../host/process.js';
import { fingerprintOf } from '../model/fingerprint.js';
import { gateNamespace } from '../model/kinds.js';
import type { PlannedManifest, RunPlan } from '../model/plan.js';
import { readPlanContracts } from '../model/planContracts.js';
import type { RunDecision } from '../model/runDecision.js';
import { ignoreListProblem, ignoreLists } from '../rules/ignoreList.js';
import { readWebBase } from '../rules/webUrl.js';
import { readApiToken } from './apiToken.js';
import { decideRun } from './decideRun.js';
import { drainAgain } from './drainAgain.js';
import type { PinnedSource } from './pinSource.js';
import { checkCluster, dryRunObjects } from './preflightCluster.js';
import { checkLease } from './preflightLease.js';

export interface PreflightOptions {
  readonly pinned: PinnedSource;
  readonly objects: readonly PlannedManifest[];
  /** What the inventory's checker found; anything in it is a failure. */
  readonly inventoryProblems: readonly string[];
  readonly kubeconfig: string;
  readonly context: string;
  /** Pulumi's name of the stack. */
  readonly stack: string;
  readonly platform: string;
  readonly dockerHost: string | undefined;
  readonly dockerConfig: string | undefined;
  readonly rayRestart: 'required' | 'skip';
  readonly drain: 'wait' | 'skip';
  readonly attempt: string | undefined;
  /** Whether objects under our names that are not ours are taken over. */
  readonly adopt: boolean;
  readonly webUrl: string;
  readonly stateFolder: string;
  readonly deadlines: Readonly<Record<string, number>>;
  readonly deadlineSeconds: number;
  /** A preview leaves nothing behind: its snapshot lives in a private folder that is gone afterwards. */
  readonly preview: boolean;
}

export interface PreflightResult {
  readonly plan: RunPlan;
  readonly decision: RunDecision;
  /** What the drain is run again for. */
  readonly drainAgain: string | undefined;
  /** A secret: the pinned kubeconfig's text, for Pulumi's provider. */
  readonly kubeconfigContent: string;
  readonly certificateAuthoritySha256: string;
}

const requiredFiles = ['app/Dockerfile', 'app/Dockerfile.ray', 'app/pyproject.toml', 'app/requirements.lock'];
const supportedOperator = '1.6.2';

/**
 * Everything that can be known before anything is changed: settings, source, kubeconfig, Docker, what the cluster has, the plan's
 * own promises. Changes nothing. Throws `GateError` of layer preflight at the first violation, redacted.
 */
export async function preflight(options: PreflightOptions): Promise<PreflightResult> {
  const redactor = createRedactor();
  const bounded = (text: string) => oneLine(redactor.clean(text), textBounds.secondaryContext.characters);
  try {
    await sweepPrivateFolders();
    return await withPrivateFolder((folder) => check(options, folder, redactor));
  } catch (error) {
    if (isGateError(error)) {
      throw new GateError({
        layer: error.layer,
        code: error.code,
        message: bounded(error.message),
        retryable: error.retryable,
      });
    }
    const code = isProcessFailure(error) ? 'preflight.command' : 'preflight.internal';
    const message = bounded(error instanceof Error ? error.message : String(error));
    throw new GateError({ layer: 'preflight', code, message });
  }
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
  const dockerHost = await checkDocker(options);
  const directory = options.preview ? join(folder, 'kubeconfig') : options.stateFolder;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const snapshot = await takeSnapshot({
    kubeconfigPath: options.kubeconfig,
    context: options.context,
    directory,
    redactor,
  });
  const cluster = await openCluster(snapshot, { requestTimeoutSeconds: deadlines['request'] ?? 30 });
  try {
    const persist = { layer: 'preflight', deadline, cluster } as const;
    await checkCluster(objects, base.base.host, options.adopt, persist);
    // Nothing but the Secret and what follows from it is left to be wrong: `raygate start` makes the Secret only then.
    await readApiToken(redactor, persist);
    await dryRunObjects(objects, persist);
    const { contracts } = reading;
    const { sha256, context, server, certificateAuthoritySha256 } = snapshot;
    const release = { ...pinned.release };
    const plan: RunPlan = {
      schema: 'raygate.plan/1',
      platform: options.platform,
      stack: options.stack,
      namespace: gateNamespace,
      stateFolder: options.stateFolder,
      fingerprint: fingerprintOf({
        tree: pinned.source.tree,
        release,
        objects,
        cluster: { server, certificateAuthoritySha256 },
        rayRestart: options.rayRestart,
        attempt: options.attempt,
      }),
      kubeconfig: {
        path: join(options.stateFolder, `kubeconfig-${sha256.slice(0, 16)}.json`),
        sha256,
        context,
        server,
      },
      docker: {
        host: dockerHost,
        ...(options.dockerConfig === undefined ? {} : { configFolder: options.dockerConfig }),
      },
      source: pinned.source,
      release,
      ray: { topology: contracts.topology, restart: options.rayRestart, operatorVersion: supportedOperator },
      deployments: contracts.deployments,
      setup: contracts.setup,
      webUrl: options.webUrl,
      drain: options.drain,
      deadlines,
      deadlineSeconds: options.deadlineSeconds,
    };
    const decision = await decideRun(plan, persist);
    if (decision.kind !== 'still-proven') await checkLease(gateNamespace, persist, options.preview);
    const again = await readSource(pinned.source.root, commandSeconds(options));
    if (!again.ok) throw problem(again.problem.code, again.problem.detail);
    if (again.source.commit !== pinned.source.commit)
      throw problem('source.moved', 'HEAD moved during preflight: run again.');
    return {
      plan,
      decision,
      drainAgain: await drainAgain(plan, decision),
      kubeconfigContent: await readSnapshotContent(snapshot),
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

async function checkDocker(options: PreflightOptions): Promise<string> {
  const seconds = commandSeconds(options);
  const host = options.dockerHost ?? (await docker(() => currentDockerEndpoint(options.dockerConfig, seconds)));
  const wrong = dockerEndpointProblem(host);
  if (wrong !== undefined)
    throw problem('docker-endpoint', `The Docker endpoint is refused: ${wrong}. Set raygate:dockerHost.`);
  await docker(() => dockerServerVersion({ host, configFolder: options.dockerConfig }, seconds));
  if (options.context.startsWith('kind-')) {
    await docker(() => run({ file: 'kind', argv: ['version'], timeoutSeconds: seconds }));
  }
  return host;
}

async function docker<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = isProcessFailure(error) && error.reason === 'missing' ? 'program-missing' : 'docker-unreachable';
    throw problem(
      code,
      code === 'program-missing' ? message : `Docker does not answer; start it, or set raygate:dockerHost (${message})`,
    );
  }
}

function commandSeconds(options: PreflightOptions): number {
  return options.deadlines['command'] ?? 120;
}

function problem(code: string, message: string): GateError {
  return new GateError({ layer: 'preflight', code: `preflight.${code}`, message });
}
