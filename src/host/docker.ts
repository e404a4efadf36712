import { type ChildKind, childEnvironment } from './environment.js';
import { type ImageDigests, resolveImageDigests } from './imageDigests.js';
import { isProcessFailure, type RunResult, run } from './process.js';
import { readTarEntries } from './tarEntries.js';

/** Where Docker is, chosen once in preflight and given to each call; nothing ambient is asked again. */
export interface DockerPlace {
  /** The daemon's endpoint, checked by `dockerEndpointProblem`. */
  readonly host: string;
  /** Folder of the client's configuration; undefined: the client's own default. */
  readonly configFolder: string | undefined;
}

export interface LocalImage extends ImageDigests {
  readonly reference: string;
  /** What `docker image inspect` calls Id: index or manifest digest under containerd's store, config digest under the classic one. */
  readonly id: string;
  readonly tags: readonly string[];
  /** `repository@sha256:…` of a registry that it came from or went to: what cri-dockerd reports of a pulled image. */
  readonly repoDigests: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly sizeBytes: number;
}

export interface BuildOptions {
  readonly reference: string;
  readonly contextFolder: string;
  readonly dockerfile: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly buildArguments?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** The endpoint of the client's current context: used only when no setting names one. */
export async function currentDockerEndpoint(configFolder: string | undefined, timeoutSeconds: number): Promise<string> {
  const env = dockerEnvironment('docker', undefined, configFolder);
  const call = async (...argv: string[]) => (await run({ file: 'docker', argv, env, timeoutSeconds })).stdout.trim();
  const name = await call('context', 'show');
  const contexts = JSON.parse(await call('context', 'inspect', name)) as {
    Endpoints?: { docker?: { Host?: unknown } };
  }[];
  const host = contexts[0]?.Endpoints?.docker?.Host;
  if (contexts.length !== 1 || typeof host !== 'string') {
    throw new Error(`Docker's context "${name}" names no endpoint: set raygate:dockerHost.`);
  }
  return host;
}

/** The daemon's version; proves that it answers. */
export async function dockerServerVersion(place: DockerPlace, timeoutSeconds: number): Promise<string> {
  const { stdout } = await dockerCommand(place, ['info', '--format', '{{.ServerVersion}}'], timeoutSeconds);
  return stdout.trim();
}

/** Builds one image with BuildKit; no attestation, so that a tag is one manifest. */
export async function buildImage(place: DockerPlace, options: BuildOptions): Promise<void> {
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
  await run({
    file: 'docker',
    argv: [
      '--host',
      place.host,
      'build',
      '--progress=plain',
      '--provenance=false',
      '--file',
      options.dockerfile,
      '--tag',
      options.reference,
      ...pairs('--label', options.labels),
      ...pairs('--build-arg', options.buildArguments ?? {}),
      options.contextFolder,
    ],
    env: dockerEnvironment('docker', place.host, place.configFolder),
    timeoutSeconds: options.timeoutSeconds,
    ...(options.onLine ? { onLine: options.onLine } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** Tags, labels and Id of a local image; undefined when there is none under that reference. */
export async function inspectImage(
  place: DockerPlace,
  reference: string,
  timeoutSeconds: number,
): Promise<Omit<LocalImage, keyof ImageDigests> | undefined> {
  let result: RunResult;
  try {
    result = await dockerCommand(place, ['image', 'inspect', reference], timeoutSeconds);
  } catch (error) {
    if (isProcessFailure(error) && /no such image/i.test(error.output)) return undefined;
    throw error;
  }
  const images = JSON.parse(result.stdout) as {
    Id?: string;
    RepoTags?: string[] | null;
    RepoDigests?: string[] | null;
    Size?: number;
    Config?: { Labels?: Record<string, string> | null };
  }[];
  const image = images[0];
  if (images.length !== 1 || !image || !/^sha256:[0-9a-f]{64}$/.test(image.Id ?? '')) {
    throw new Error(`docker image inspect "${reference}" gave ${images.length} images without a usable Id.`);
  }
  return {
    reference,
    id: image.Id as string,
    tags: image.RepoTags ?? [],
    repoDigests: image.RepoDigests ?? [],
    labels: image.Config?.Labels ?? {},
    sizeBytes: image.Size ?? 0,
  };
}

/** The three digests of a local image, from the stream of `docker save`; layers pass through and are not kept. */
export async function readImageDigests(
  place: DockerPlace,
  reference: string,
  timeoutSeconds: number,
): Promise<ImageDigests> {
  const entries = readTarEntries();
  await dockerCommand(place, ['image', 'save', reference], timeoutSeconds, entries.write);
  return resolveImageDigests(entries.files, reference);
}

/** Puts local images into a kind cluster's nodes. */
export async function loadIntoKind(
  place: DockerPlace,
  cluster: string,
  references: readonly string[],
  timeoutSeconds: number,
  onLine?: (line: string) => void,
): Promise<void> {
  const env = { ...dockerEnvironment('kind', place.host, place.configFolder), KIND_EXPERIMENTAL_PROVIDER: 'docker' };
  const argv = ['load', 'docker-image', ...references, '--name', cluster];
  await run({ file: 'kind', argv, env, timeoutSeconds, ...(onLine ? { onLine } : {}) });
}

/** Runs the Docker client against this place and no other. @throws ProcessFailure */
export function dockerCommand(
  place: DockerPlace,
  argv: readonly string[],
  timeoutSeconds: number,
  onStdout?: (chunk: Buffer) => void,
): Promise<RunResult> {
  return run({
    file: 'docker',
    argv: ['--host', place.host, ...argv],
    env: dockerEnvironment('docker', place.host, place.configFolder),
    timeoutSeconds,
    ...(onStdout ? { onStdout } : {}),
  });
}

function dockerEnvironment(kind: ChildKind, host: string | undefined, configFolder: string | undefined) {
  return childEnvironment(kind, {
    ...(host === undefined ? {} : { DOCKER_HOST: host }),
    ...(configFolder === undefined ? {} : { DOCKER_CONFIG: configFolder }),
  });
}
