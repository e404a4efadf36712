import type { ProvenIdentity } from '../model/identities.js';
import { webDeploymentName } from '../model/kinds.js';
import type { Observation } from '../model/observation.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { preservedValues } from '../rules/preservedPins.js';
import type { EvidenceKey } from './evidenceLines.js';

export type Observations = { readonly [L in Exclude<StepLayer, 'evidence'>]: Observation<L> };

/** What is kept of a proven run: whoever looks later can recompute each line from the observations. */
export interface EvidenceDocument {
  readonly schema: 'raygate.evidence/2';
  readonly runId: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  readonly platform: string;
  readonly fingerprint: string;
  readonly source: RunPlan['source'];
  readonly kubeconfig: RunPlan['kubeconfig'];
  readonly dockerHost: string;
  readonly release: RunPlan['release'];
  readonly lines: readonly string[];
  /** Paths below `observations` that a line rests on, where its value alone does not say. */
  readonly basis: Partial<Record<EvidenceKey, readonly string[]>>;
  readonly identity: ProvenIdentity;
  readonly observations: Observations;
  /** Seconds by layer. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** What the `preserved_*` lines rest on: the look before the run's first change, and the same look after its last. */
export const evidenceBasis: EvidenceDocument['basis'] = Object.fromEntries(
  Object.entries({
    preserved_postgresql: 'postgres',
    preserved_pvcs: 'claims',
    preserved_unrelated_namespaces: 'namespaces',
    preserved_unrelated_docker_data: 'docker',
  }).map(([key, part]) => [key, [`drain.facts.before.${part}`, `final-identity.facts.after.${part}`]]),
);

/**
 * The value of each key, from what was observed. A key that is not here rests on an observation that this gate does not make yet,
 * and is printed as such.
 */
export function evidenceValues(
  plan: RunPlan,
  seen: Observations,
  identity: ProvenIdentity,
): Partial<Record<EvidenceKey, string>> {
  const { images, drain, setup, ray, 'api-smoke': api } = seen;
  const { app, legacy } = images.facts;
  const deployment = (name: string) => identity.deployments.find((candidate) => candidate.name === name);
  const readyOf = (name: string) => {
    const found = deployment(name);
    return found === undefined
      ? {}
      : { [`deployment_${name.replaceAll('-', '_')}_ready`]: String(found.readyReplicas) };
  };
  const web = deployment(webDeploymentName);
  const statuses = (requests: readonly { readonly status: number }[]) =>
    [...new Set(requests.map((request) => request.status))].join(',');
  const rayImages = ray.facts.pods.flatMap((pod) => pod.containers.map((container) => container.imageDigest));
  const sourceDigests: readonly (string | undefined)[] = [
    app.config,
    app.manifest,
    app.index,
    legacy.config,
    legacy.manifest,
    legacy.index,
  ];
  return {
    source_commit_at_run: plan.source.commit,
    source_tree: plan.source.tree,
    context: plan.kubeconfig.context,
    namespace: plan.namespace,
    kubeconfig_sha256: plan.kubeconfig.sha256,
    kubernetes_server: plan.kubeconfig.server,
    docker_host: plan.docker.host,
    app_image_tag: app.reference,
    app_image_id: app.id,
    legacy_worker_image_tag: legacy.reference,
    legacy_worker_image_id: legacy.id,
    legacy_worker_built: legacy.built ? 'true' : 'reused',
    kuberay_uses_generic_ray: String(rayImages.every((digest) => !sourceDigests.includes(digest))),
    setup: 'passed',
    runtime_env_bytes: String(setup.facts.result.archive.bytes),
    runtime_env_sha256: setup.facts.result.archive.sha256,
    ray_restart: ray.facts.restart,
    ray_cluster_uid: identity.ray.clusterUid,
    ray_heads: String(identity.ray.heads),
    ray_workers: String(identity.ray.workers),
    ray_pods_sha256: ray.facts.podsSha256,
    api_unauthenticated: statuses(api.facts.unauthenticated),
    api_authenticated: statuses(api.facts.authenticated),
    task_id: api.facts.task.id,
    task_state: api.facts.task.state,
    task_result: String(api.facts.task.result),
    ...preservedValues(drain.facts.before),
    ...(web ? { web_restarts: String(web.pods.reduce((sum, pod) => sum + pod.restarts, 0)) } : {}),
    ...readyOf('django-web'),
    ...readyOf('django-ray-worker'),
    ...readyOf('django-ray-worker-sync'),
    ...readyOf('django-ray-worker-ml'),
  };
}
