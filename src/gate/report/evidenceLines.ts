/** The 42 keys of the evidence block, in their order. */
export const evidenceKeys = [
  'source_commit_at_run',
  'source_tree',
  'context',
  'namespace',
  'kubeconfig_sha256',
  'kubernetes_server',
  'docker_host',
  'app_image_tag',
  'app_image_id',
  'legacy_worker_image_tag',
  'legacy_worker_image_id',
  'legacy_worker_built',
  'kuberay_uses_generic_ray',
  'setup',
  'runtime_env_bytes',
  'runtime_env_sha256',
  'ray_restart',
  'ray_cluster_uid',
  'ray_heads',
  'ray_workers',
  'ray_pods_sha256',
  'generic_django_ray',
  'api_unauthenticated',
  'api_authenticated',
  'task_id',
  'task_state',
  'task_result',
  'probe_path',
  'probe_host',
  'web_restarts',
  'prometheus_removed_worker_pool',
  'preserved_postgresql',
  'preserved_pvcs',
  'preserved_unrelated_namespaces',
  'preserved_unrelated_docker_data',
  'deployment_django_web_ready',
  'deployment_django_ray_worker_ready',
  'deployment_django_ray_worker_sync_ready',
  'deployment_django_ray_worker_ml_ready',
  'prometheus_django_ray',
  'prometheus_ray_head',
  'prometheus_ray_workers',
] as const;
export type EvidenceKey = (typeof evidenceKeys)[number];

export const evidenceHeader = '=== Local KubeRay final gate evidence ===';
/** What a key says whose observation this gate does not make yet. */
export const notObserved = 'not-observed';
export const lineLimit = 72;
const partLimit = 999;

/** The block: its header, then each key in its order; a key without a value says {@link notObserved}. */
export function evidenceBlock(
  values: Partial<Record<EvidenceKey, string>>,
  clean: (text: string) => string,
): readonly string[] {
  return [evidenceHeader, ...evidenceKeys.flatMap((key) => evidenceLines(key, clean(values[key] ?? notObserved)))];
}

/**
 * One key in lines of at most 72 characters: `key=value`, or `key_parts=NNN` and numbered pieces that join without a separator.
 * @throws RangeError for a key that is no lower snake case or too long, or a value of more than 999 pieces
 */
export function evidenceLines(key: string, value: string): readonly string[] {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key))
    throw new RangeError(`The evidence key "${key}" is no lower snake case.`);
  const safe = /[\r\n]/.test(value) ? JSON.stringify(value).slice(1, -1) : value;
  const whole = `${key}=${safe}`;
  if (whole.length <= lineLimit) return [whole];
  const size = lineLimit - `${key}_part_000=`.length;
  if (size < 1) throw new RangeError(`The evidence key "${key}" leaves no room for a value.`);
  const count = Math.ceil(safe.length / size);
  if (count > partLimit)
    throw new RangeError(`The evidence key "${key}" needs ${count} parts, more than ${partLimit}.`);
  const number = (n: number) => String(n).padStart(3, '0');
  const parts = Array.from(
    { length: count },
    (_, i) => `${key}_part_${number(i + 1)}=${safe.slice(i * size, (i + 1) * size)}`,
  );
  return [`${key}_parts=${number(count)}`, ...parts];
}
