import type { DeploymentContract, ImageSlot, PodContract, RayTopology } from './contracts.js';
import { isPinned } from './contracts.js';
import { asCount, asList, asRecord, asText, asTextMap, at } from './json.js';
import { setupJobName } from './kinds.js';
import type { PlannedManifest, RunPlan } from './plan.js';
import { readContainers } from './podFacts.js';
import { readPodTemplate } from './podTemplate.js';
import { readRayTopology } from './rayTopology.js';

export interface PlanContracts {
  readonly setup: RunPlan['setup'];
  /** Those of phases workload and rollout, by name. */
  readonly deployments: readonly DeploymentContract[];
  /** Those of phase prerequisite, by name: they run no image of ours. */
  readonly supporting: readonly DeploymentContract[];
  readonly topology: RayTopology;
  readonly rayTemplates: RunPlan['ray']['templates'];
}

export type PlanContractsReading =
  | { readonly ok: true; readonly contracts: PlanContracts }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What the planned objects promise, for comparison with the live ones; every reason why it cannot be proven, at once. */
export function readPlanContracts(objects: readonly PlannedManifest[], appReference: string): PlanContractsReading {
  const problems: string[] = [];
  const ofKind = (kind: string) => objects.filter((object) => object.manifest['kind'] === kind);
  const jobs = ofKind('Job').filter((object) => object.phase === 'setup');
  const [job] = jobs;
  if (jobs.length !== 1 || job === undefined) problems.push(`the plan has ${jobs.length} setup Jobs, not one`);
  const setupPod = readPodContract(at(job?.manifest, 'spec', 'template'));
  const [setupContainer] = setupPod.containers;
  if (
    job &&
    (setupPod.containers.length !== 1 || setupContainer?.name !== setupJobName || setupContainer.image !== appReference)
  ) {
    problems.push(`the setup Job must have the one container ${setupJobName} on ${appReference}`);
  }
  const deployments = ofKind('Deployment')
    .filter((object) => object.phase === 'workload' || object.phase === 'rollout')
    .map((object) => readDeploymentContract(object, appReference, problems));
  const supporting = ofKind('Deployment')
    .filter((object) => object.phase === 'prerequisite')
    .map((object) => readDeploymentContract(object, undefined, problems));
  if (deployments.length === 0) problems.push('the plan has no application Deployment');
  const [cluster, ...others] = ofKind('RayCluster');
  const topology = readRayTopology(at(cluster?.manifest, 'spec'));
  if (cluster === undefined || others.length > 0) problems.push('the plan must have exactly one RayCluster');
  else if (!topology.ok) problems.push(`RayCluster: ${topology.problem}`);
  else {
    const slots = [topology.topology.head, ...topology.topology.groups].flatMap((node) => node.containers);
    for (const slot of slots)
      if (!isPinned(slot.image)) problems.push(`RayCluster container ${slot.name}: "${slot.image}" is not pinned`);
  }
  if (problems.length > 0 || !job || !topology.ok) return { ok: false, problems };
  return {
    ok: true,
    contracts: {
      setup: { manifest: job.manifest, pod: setupPod, template: readPodTemplate(at(job.manifest, 'spec', 'template')) },
      deployments: byName(deployments),
      supporting: byName(supporting),
      topology: topology.topology,
      rayTemplates: readRayTemplates(cluster?.manifest),
    },
  };
}

function byName(contracts: readonly DeploymentContract[]): readonly DeploymentContract[] {
  return [...contracts].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param appReference the image that one of its containers must run; undefined: none of ours */
function readDeploymentContract(
  object: PlannedManifest,
  appReference: string | undefined,
  problems: string[],
): DeploymentContract {
  const { manifest, identity } = object;
  const replicas = asCount(at(manifest, 'spec', 'replicas'));
  const selector = asTextMap(at(manifest, 'spec', 'selector', 'matchLabels'));
  const pod = readPodContract(at(manifest, 'spec', 'template'));
  if (!Number.isInteger(replicas) || replicas < 1)
    problems.push(`${identity}: replicas must be a positive whole number`);
  if (Object.keys(selector).length === 0) problems.push(`${identity}: it has no selector`);
  if (at(manifest, 'spec', 'selector', 'matchExpressions') !== undefined)
    problems.push(`${identity}: its selector has expressions`);
  if (appReference !== undefined && !pod.containers.some((slot) => slot.image === appReference))
    problems.push(`${identity}: no container runs ${appReference}`);
  const template = readPodTemplate(at(manifest, 'spec', 'template'));
  return { name: String(at(manifest, 'metadata', 'name')), replicas, selector, pod, template };
}

function readRayTemplates(cluster: unknown): RunPlan['ray']['templates'] {
  const workers = asList(at(cluster, 'spec', 'workerGroupSpecs')).map(asRecord);
  return Object.fromEntries([
    ['head', readPodTemplate(at(cluster, 'spec', 'headGroupSpec', 'template'))],
    ...workers.map((group) => [`worker:${asText(group['groupName'])}`, readPodTemplate(group['template'])] as const),
  ]);
}

function readPodContract(template: unknown): PodContract {
  const slots = (key: string): readonly ImageSlot[] =>
    readContainers(at(template, 'spec', key)).map(({ name, image }) => ({ name, image }));
  return { initContainers: slots('initContainers'), containers: slots('containers') };
}
