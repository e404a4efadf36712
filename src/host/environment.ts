/**
 * The variables that each kind of child process must not inherit (compared without regard to case): each of them can send the
 * child to another server than the one that was checked.
 */
const proxies = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;
const certificates = ['SSL_CERT_DIR', 'SSL_CERT_FILE'] as const;
const docker = [
  ...proxies,
  ...certificates,
  'BUILDKIT_HOST',
  'BUILDX_BUILDER',
  'BUILDX_CONFIG',
  'DOCKER_API_VERSION',
  'DOCKER_BUILDKIT',
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
  'DOCKER_CONTEXT',
  'DOCKER_CUSTOM_HEADERS',
  'DOCKER_DEFAULT_PLATFORM',
  'DOCKER_HOST',
  'DOCKER_TLS',
  'DOCKER_TLS_VERIFY',
] as const;

export const droppedVariables = {
  kubectl: [...proxies, ...certificates, 'KUBECONFIG', 'KUBERNETES_MASTER'],
  docker,
  kind: [...docker, 'KIND_EXPERIMENTAL_PROVIDER'],
  // GIT_DIR, GIT_WORK_TREE and their kin would make git answer for another repository than the one that was asked for.
  git: ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
} as const satisfies Record<string, readonly string[]>;

/** Programs that could act on our behalf are never handed these, whatever they are: they are the state's own secrets. */
const neverInherited = ['PULUMI_CONFIG_PASSPHRASE', 'PULUMI_CONFIG_PASSPHRASE_FILE', 'PULUMI_ACCESS_TOKEN'];

export type ChildKind = keyof typeof droppedVariables;

/**
 * The environment for a child of `kind`: the ambient one without the names above, then `chosen`. All other variables pass.
 */
export function childEnvironment(
  kind: ChildKind,
  chosen: Readonly<Record<string, string>> = {},
  ambient: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const dropped = new Set<string>([...droppedVariables[kind], ...neverInherited]);
  const kept = Object.entries(ambient).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !dropped.has(entry[0].toUpperCase()),
  );
  return { ...Object.fromEntries(kept), ...chosen };
}
