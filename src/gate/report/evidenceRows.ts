import type { ConvergedDeployment } from '../model/identities.js';
import { webDeploymentName } from '../model/kinds.js';
import { headJob, webJob, workerJob } from '../model/prometheus.js';
import { evidenceQueue } from '../model/smokeTask.js';
import type { EvidenceSources, SourceName } from './evidenceSources.js';

/** One key of the evidence: what it rests on, and the text that follows from that. */
export interface EvidenceRow {
  /** Lower snake case. */
  readonly key: string;
  readonly restsOn: readonly SourceName[];
  /** Undefined where the sources say nothing of it: the key is then printed as not observed. */
  text(sources: Partial<EvidenceSources>): string | undefined;
}

/** `text` is given exactly the sources that the row names, so what a row says that it rests on is what it rests on. */
function row<const Names extends readonly SourceName[]>(
  key: string,
  restsOn: Names,
  text: (sources: Pick<EvidenceSources, Names[number]>) => string | undefined,
): EvidenceRow {
  return {
    key,
    restsOn,
    text: (sources) => {
      const given = restsOn.map((name) => [name, sources[name]] as const);
      if (given.some(([, source]) => source === undefined)) return undefined;
      return text(Object.fromEntries(given) as Pick<EvidenceSources, Names[number]>);
    },
  };
}

/** A key whose observation this gate does not make yet. */
function unobserved(key: string): EvidenceRow {
  return { key, restsOn: [], text: () => undefined };
}

function readyReplicas(key: string, name: string): EvidenceRow {
  return row(key, ['identity'], ({ identity }) => text(deployment(identity.deployments, name)?.readyReplicas));
}

function targets(key: string, job: string): EvidenceRow {
  return row(key, ['prometheus'], ({ prometheus }) => text(prometheus.counts[job]));
}

/** The keys of the evidence in their order. A new key is one row; its place here is its place in the block. */
export const evidenceRows: readonly EvidenceRow[] = [
  row('source_commit_at_run', ['plan'], ({ plan }) => plan.source.commit),
  row('source_tree', ['plan'], ({ plan }) => plan.source.tree),
  row('context', ['plan'], ({ plan }) => plan.kubeconfig.context),
  row('namespace', ['plan'], ({ plan }) => plan.namespace),
  row('kubeconfig_sha256', ['plan'], ({ plan }) => plan.kubeconfig.sha256),
  row('kubernetes_server', ['plan'], ({ plan }) => plan.kubeconfig.server),
  row('docker_host', ['plan'], ({ plan }) => plan.dockerHost),
  row('app_image_tag', ['images'], ({ images }) => images.app.reference),
  row('app_image_id', ['images'], ({ images }) => images.app.id),
  row('legacy_worker_image_tag', ['images'], ({ images }) => images.legacy.reference),
  row('legacy_worker_image_id', ['images'], ({ images }) => images.legacy.id),
  row('legacy_worker_built', ['images'], ({ images }) => (images.legacy.built ? 'true' : 'reused')),
  row('kuberay_uses_generic_ray', ['images', 'ray'], ({ images, ray }) => String(usesGenericRay(images, ray))),
  row('setup', ['setup'], () => 'passed'),
  row('runtime_env_bytes', ['runtime-env'], (seen) => text(seen['runtime-env'].archive.bytes)),
  row('runtime_env_sha256', ['runtime-env'], (seen) => seen['runtime-env'].archive.sha256),
  row('ray_restart', ['ray'], ({ ray }) => ray.restart),
  row('ray_cluster_uid', ['identity'], ({ identity }) => identity.ray.clusterUid),
  row('ray_heads', ['identity'], ({ identity }) => text(identity.ray.heads)),
  row('ray_workers', ['identity'], ({ identity }) => text(identity.ray.workers)),
  row('ray_pods_sha256', ['ray'], ({ ray }) => ray.podsSha256),
  row('generic_django_ray', ['runtime-env'], (seen) => seen['runtime-env'].bareDjangoRay),
  row('api_unauthenticated', ['api-smoke'], (seen) => statuses(seen['api-smoke'].unauthenticated)),
  row('api_authenticated', ['api-smoke'], (seen) => statuses(seen['api-smoke'].authenticated)),
  row('task_id', ['api-smoke'], (seen) => shownTask(seen)?.id),
  row('task_state', ['api-smoke'], (seen) => shownTask(seen)?.state),
  row('task_result', ['api-smoke'], (seen) => text(shownTask(seen)?.result)),
  row('probe_path', ['probes'], ({ probes }) => probes.path),
  row('probe_host', ['probes'], ({ probes }) => probes.host),
  row('web_restarts', ['identity'], ({ identity }) => webRestarts(identity.deployments)),
  row('prometheus_removed_worker_pool', ['prometheus'], ({ prometheus }) => prometheus.removedPool),
  unobserved('preserved_postgresql'),
  unobserved('preserved_pvcs'),
  unobserved('preserved_unrelated_namespaces'),
  unobserved('preserved_unrelated_docker_data'),
  readyReplicas('deployment_django_web_ready', 'django-web'),
  readyReplicas('deployment_django_ray_worker_ready', 'django-ray-worker'),
  readyReplicas('deployment_django_ray_worker_sync_ready', 'django-ray-worker-sync'),
  readyReplicas('deployment_django_ray_worker_ml_ready', 'django-ray-worker-ml'),
  targets('prometheus_django_ray', webJob),
  targets('prometheus_ray_head', headJob),
  targets('prometheus_ray_workers', workerJob),
];

function text(count: number | undefined): string | undefined {
  return count === undefined ? undefined : String(count);
}

function deployment(all: readonly ConvergedDeployment[], name: string): ConvergedDeployment | undefined {
  return all.find((candidate) => candidate.name === name);
}

function shownTask(seen: Pick<EvidenceSources, 'api-smoke'>) {
  return seen['api-smoke'].tasks.find(({ queue }) => queue === evidenceQueue);
}

function statuses(requests: readonly { readonly status: number }[]): string {
  return [...new Set(requests.map((request) => request.status))].join(',');
}

function webRestarts(all: readonly ConvergedDeployment[]): string | undefined {
  const web = deployment(all, webDeploymentName);
  return web && String(web.pods.reduce((sum, pod) => sum + pod.restarts, 0));
}

/** No Ray pod runs either of the images that were made of this source. */
function usesGenericRay({ app, legacy }: EvidenceSources['images'], ray: EvidenceSources['ray']): boolean {
  const ours = [app, legacy].flatMap(({ config, manifest, index }) => [config, manifest, index]);
  return ray.pods.every((pod) => pod.containers.every(({ imageDigest }) => !ours.includes(imageDigest)));
}
