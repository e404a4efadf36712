import { homedir } from 'node:os';
import type { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import { relayedFailureLine } from '../core/failureLine.js';
import { isGateError } from '../core/gateError.js';
import {
  decisionSentence,
  evidenceLinesPath,
  evidencePath,
  GateStep,
  gateAccess,
  type PinnedSource,
  type PreflightResult,
  pinSource,
  preflight,
  readProof,
  type StepLayer,
} from '../gate/index.js';
import { enforcementClusterKinds } from './charts/enforcement.js';
import { synthOverlay } from './charts/overlay.js';
import { registerConfinement } from './deploy/confinement.js';
import { type AppliedPhase, PhaseObjects } from './deploy/phase.js';
import { createProvider } from './deploy/provider.js';
import { enforcementPlan } from './enforce/enforcementPlan.js';
import { applicationRepository, legacyRepository } from './images.js';
import { checkInventory } from './inventory/check.js';
import { stackNamespace } from './names.js';
import type { PlannedObject } from './plannedObject.js';
import { parseSettings, type Settings, settingsError } from './settings.js';

/** What the stack answers with. */
interface Outputs {
  readonly run: string;
  readonly decision: string;
  readonly source: string;
  readonly image: string;
  /** Whether it is proven, which tree, and when; of a preview, what an up would do. */
  readonly proof: pulumi.Output<string> | string;
  /** Paths: the whole evidence in JSON, and its block of lines. */
  readonly evidence: pulumi.Output<string> | string;
  readonly evidenceLines: pulumi.Output<string> | string;
}

async function main(): Promise<Outputs> {
  const settings = readSettings();
  const pinned = await pinSource({
    projectFolder: process.cwd(),
    repositories: { app: applicationRepository, legacy: legacyRepository },
    commandSeconds: settings.deadlines.command,
  });
  const objects = plan(settings, pinned);
  const enforcement = settings.enforce ? enforcementPlan(objects, gateAccess) : undefined;
  const result = await preflight({
    ...settings,
    pinned,
    objects,
    enforcement,
    inventoryProblems: [
      ...problemsOf(objects, pinned),
      ...problemsOf(enforcement?.confine([]).objects ?? [], pinned, enforcementClusterKinds),
    ],
    preview: pulumi.runtime.isDryRun(),
  });
  for (const note of result.notes) await pulumi.log.info(`[preflight] note: ${note}`);
  await pulumi.log.info(`[preflight] passed: ${decisionSentence(result.decision, pulumi.runtime.isDryRun())}`);
  return deploy(result, objects, enforcement?.confine(result.retired).objects ?? []);
}

function problemsOf(
  objects: readonly PlannedObject[],
  pinned: PinnedSource,
  clusterKinds: readonly string[] = [],
): readonly string[] {
  return checkInventory(objects, {
    declared: objects.map(({ identity, scope, phase, construct }) => ({ identity, scope, phase, construct })),
    namespace: stackNamespace,
    releaseTag: pinned.release.tag,
    repository: applicationRepository,
    clusterKinds,
  });
}

function readSettings(): Settings {
  const place = { projectFolder: process.cwd(), homeFolder: homedir(), stack: pulumi.getStack() };
  const parsed = parseSettings(pulumi.runtime.allConfig(), place);
  if (!parsed.ok) throw settingsError(parsed.problems);
  return parsed.settings;
}

function plan(settings: Settings, { source, release }: PinnedSource): readonly PlannedObject[] {
  return synthOverlay({
    profile: settings.profile,
    releaseTag: release.tag,
    sourceTree: source.tree,
    archiveUri: release.archiveUri,
    runtimeEnvAccess: settings.runtimeEnvAccess,
  });
}

/**
 * The graph: nothing in the cluster changes before drain has passed, but for what `raygate:enforce` sets up to confine it; each
 * phase and each step names what it must come after, and what names each other nowhere runs side by side.
 */
function deploy(
  result: PreflightResult,
  objects: readonly PlannedObject[],
  confining: readonly PlannedObject[],
): Outputs {
  const { plan: run, decision } = result;
  const { runId } = decision;
  const said = decisionSentence(decision, pulumi.runtime.isDryRun());
  const cluster = { context: run.kubeconfig.context, clusterIdentifier: result.certificateAuthoritySha256 };
  const provider = createProvider('pinned', { ...cluster, kubeconfig: result.kubeconfigContent });
  // With the user's own rights, for what confines the other one; without enforcement there is no such provider.
  const own = run.account && createProvider('pinned-own', { ...cluster, kubeconfig: result.ownKubeconfigContent });
  registerConfinement({ objects, provider }, ...(own ? [{ objects: confining, provider: own }] : []));
  const step = (layer: StepLayer, ...dependsOn: readonly pulumi.Resource[]) =>
    new GateStep({ layer, runId, plan: run }, { dependsOn: [...dependsOn] });
  const phase = (name: string, of: AppliedPhase, ...dependsOn: readonly pulumi.Resource[]) =>
    new PhaseObjects(name, { phase: of, objects, restart: runId }, { provider, dependsOn });

  const images = step('images');
  const drain = step('drain', ...(own ? confined(own, confining) : []));
  const prerequisites = phase('prerequisites', 'prerequisite', drain);
  // The setup Job is the step's own: it is replaced with each run, which Pulumi would do only for another template.
  const setup = step('setup', images, prerequisites, ...prerequisites.objects);
  const workload = phase('workload-objects', 'workload', setup);
  const workloads = step('workloads', workload, ...workload.objects);
  const ray = step('ray', workloads);
  const rollout = phase('rollout-objects', 'rollout', ray);
  const rollouts = step('rollouts', rollout, ...rollout.objects);
  const appConvergence = step('app-convergence', rollouts);
  const proofs = (['image-identity', 'runtime-env', 'probes', 'api-smoke', 'prometheus'] as const).map((layer) =>
    step(layer, appConvergence),
  );
  const finalIdentity = step('final-identity', ...proofs);
  const evidence = step('evidence', finalIdentity);

  return {
    run: runId,
    decision: said,
    source: `commit ${run.source.commit}, tree ${run.source.tree}`,
    image: run.release.app.reference,
    // In a preview the step's run id is known, and no run of it ended.
    proof: pulumi.runtime.isDryRun() ? said : evidence.runId.apply(() => readProof(run, decision)),
    evidence: evidence.runId.apply(() => evidencePath(run.stateFolder)),
    evidenceLines: evidence.runId.apply(() => evidenceLinesPath(run.stateFolder)),
  };
}

/** What the account is and may do comes before all that acts as the account, and goes after it. */
function confined(provider: Provider, objects: readonly PlannedObject[]): readonly pulumi.Resource[] {
  const enforcement = new PhaseObjects('enforcement', { phase: 'prerequisite', objects }, { provider });
  return [enforcement, ...enforcement.objects];
}

/**
 * A fault of the user's world is one line without a stack; anything else is ours, and keeps its stack. A function, which the runner
 * calls and awaits at once: it looks at the disk before it awaits an exported promise (SDK 3.276), and Node then warns of a
 * rejection that was handled late.
 */
export = async function program(): Promise<Outputs> {
  try {
    return await main();
  } catch (error) {
    if (isGateError(error)) throw new pulumi.RunError(relayedFailureLine(error));
    throw error;
  }
};
