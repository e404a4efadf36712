import { homedir } from 'node:os';
import * as pulumi from '@pulumi/pulumi';
import { failureLine, isGateError } from '../core/gateError.js';
import {
  evidenceLinesPath,
  evidencePath,
  GateStep,
  type PreflightResult,
  pinSource,
  preflight,
  type RunDecision,
  type StepLayer,
} from '../gate/index.js';
import { registerConfinement } from './deploy/confinement.js';
import { type AppliedPhase, PhaseObjects } from './deploy/phase.js';
import { createProvider } from './deploy/provider.js';
import { applicationRepository, legacyRepository } from './images.js';
import { checkInventory } from './inventory/check.js';
import { stackNamespace } from './names.js';
import type { PlannedObject } from './plannedObject.js';
import { planObjects } from './planObjects.js';
import { parseSettings, type Settings, settingsError } from './settings.js';

/** What the stack answers with. */
interface Outputs {
  readonly run: string;
  readonly decision: string;
  readonly source: string;
  readonly image: string;
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
  const objects = planObjects(settings, pinned);
  const result = await preflight({
    ...settings,
    stack: pulumi.getStack(),
    pinned,
    objects,
    inventoryProblems: checkInventory(objects, {
      declared: objects.map(({ identity, scope, phase, construct }) => ({ identity, scope, phase, construct })),
      namespace: stackNamespace,
      releaseTag: pinned.release.tag,
      repository: applicationRepository,
    }),
    preview: pulumi.runtime.isDryRun(),
  });
  await pulumi.log.info(`[preflight] passed: ${sentence(result.decision)}`);
  return deploy(result, objects);
}

function readSettings(): Settings {
  const place = { projectFolder: process.cwd(), homeFolder: homedir(), stack: pulumi.getStack() };
  const parsed = parseSettings(pulumi.runtime.allConfig(), place);
  if (!parsed.ok) throw settingsError(parsed.problems);
  return parsed.settings;
}

/**
 * The graph: nothing in the cluster changes before drain has passed; each phase and each step names what it must come after, and
 * what names each other nowhere runs side by side.
 */
function deploy(result: PreflightResult, objects: readonly PlannedObject[]): Outputs {
  const { plan: run, decision } = result;
  const { runId } = decision;
  const provider = createProvider('pinned', {
    kubeconfig: result.kubeconfigContent,
    context: run.kubeconfig.context,
    clusterIdentifier: result.certificateAuthoritySha256,
  });
  registerConfinement({ objects, provider });
  const step = (layer: StepLayer, ...dependsOn: readonly pulumi.Resource[]) =>
    new GateStep({ layer, runId, plan: run }, { dependsOn: [...dependsOn] });
  const phase = (name: string, of: AppliedPhase, ...dependsOn: readonly pulumi.Resource[]) =>
    new PhaseObjects(name, { phase: of, objects, restart: runId }, { provider, dependsOn });

  const images = step('images');
  const again = result.drainAgain;
  const drain = new GateStep({ layer: 'drain', runId, plan: run, ...(again !== undefined && { again }) }, {});
  const prerequisites = phase('prerequisites', 'prerequisite', drain);
  // The setup Job is the step's own: it is replaced with each run, which Pulumi would do only for another template.
  const setup = step('setup', images, prerequisites, ...prerequisites.objects);
  const workload = phase('workload-objects', 'workload', setup);
  const workloads = step('workloads', workload, ...workload.objects);
  const ray = step('ray', workloads);
  const rollout = phase('rollout-objects', 'rollout', ray);
  const rollouts = step('rollouts', rollout, ...rollout.objects);
  const appConvergence = step('app-convergence', rollouts);
  const apiSmoke = step('api-smoke', appConvergence);
  const evidence = step('evidence', apiSmoke);

  return {
    run: runId,
    decision: sentence(decision),
    source: `commit ${run.source.commit}, tree ${run.source.tree}`,
    image: run.release.app.reference,
    evidence: evidence.runId.apply(() => evidencePath(run.stateFolder)),
    evidenceLines: evidence.runId.apply(() => evidenceLinesPath(run.stateFolder)),
  };
}

function sentence(decision: RunDecision): string {
  switch (decision.kind) {
    case 'still-proven':
      return `still proven by run ${decision.runId} of ${decision.since} (checked live: ${decision.checked.join(', ')})`;
    case 'continued':
      return `continuing run ${decision.runId}, which did not end`;
    case 'new':
      return `new run ${decision.runId}: ${decision.why}`;
  }
}

/** A fault of the user's world is one line without a stack; anything else is ours, and keeps its stack. */
const outputs = main().catch((error: unknown) => {
  if (isGateError(error)) throw new pulumi.RunError(failureLine(error));
  throw error;
});

export = outputs;
