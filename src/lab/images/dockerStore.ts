import { request } from 'node:http';
import { childEnvironment } from '../../host/environment.js';
import { run } from '../../host/process.js';

/** The label that says which inputs an image of the lab was made from. */
export const keyLabel = 'raygate.lab.key';

export interface DockerAddress {
  /** `unix://…` */
  readonly dockerHost: string;
  readonly dockerConfig: string;
}

const answerLimitSeconds = 60;
const loadLimitSeconds = 600;
const buildLimitSeconds = 1800;
const pruneLimitSeconds = 300;

/** Reference -> key of every image of the lab that Docker's store holds, in one request. */
export async function storedKeys(docker: DockerAddress): Promise<ReadonlyMap<string, string>> {
  const filters = encodeURIComponent(JSON.stringify({ label: [keyLabel] }));
  const answer = await get(docker.dockerHost, `/v1.44/images/json?filters=${filters}`);
  const images = JSON.parse(answer) as { RepoTags?: string[] | null; Labels?: Record<string, string> | null }[];
  return new Map(
    images.flatMap(({ RepoTags, Labels }) => (RepoTags ?? []).map((tag) => [tag, Labels?.[keyLabel] ?? ''] as const)),
  );
}

export interface ArchiveBuild {
  readonly reference: string;
  readonly key: string;
  readonly contextFolder: string;
  readonly archive: string;
  readonly epochSeconds: number;
  readonly onLine: (line: string) => void;
}

/**
 * Builds an image into a docker archive; Docker's own store gets it from {@link loadArchive} alone. Layers are zstd (a quarter of
 * gzip's time on two cores), and no time of the build is in them, so the same inputs give the same digests.
 */
export async function buildArchive(docker: DockerAddress, build: ArchiveBuild): Promise<void> {
  const output = [
    'type=docker',
    `"dest=${build.archive}"`,
    'compression=zstd',
    'force-compression=true',
    'oci-mediatypes=true',
    'rewrite-timestamp=true',
  ];
  await run({
    file: 'docker',
    argv: [
      ...['--host', docker.dockerHost, 'buildx', 'build', '--progress=plain', '--provenance=false', '--sbom=false'],
      ...['--tag', build.reference, '--label', `${keyLabel}=${build.key}`, '--output', output.join(',')],
      build.contextFolder,
    ],
    env: { ...environment(docker), SOURCE_DATE_EPOCH: String(build.epochSeconds) },
    timeoutSeconds: buildLimitSeconds,
    onLine: build.onLine,
  });
}

/** Puts an archive's image into Docker's store, under the reference that it was built for. */
export async function loadArchive(docker: DockerAddress, archive: string): Promise<void> {
  await run({
    file: 'docker',
    argv: ['--host', docker.dockerHost, 'load', '--quiet', '--input', archive],
    env: environment(docker),
    timeoutSeconds: loadLimitSeconds,
  });
}

/** Frees BuildKit's cache: all of it, or the copies of build contexts alone. */
export async function pruneBuildCache(docker: DockerAddress, what: 'all' | 'contexts'): Promise<void> {
  const filter = what === 'contexts' ? ['--filter', 'type=source.local'] : [];
  await run({
    file: 'docker',
    argv: ['--host', docker.dockerHost, 'buildx', 'prune', '--force', '--all', ...filter],
    env: environment(docker),
    timeoutSeconds: pruneLimitSeconds,
  });
}

function environment(docker: DockerAddress): Record<string, string> {
  return childEnvironment('docker', { DOCKER_HOST: docker.dockerHost, DOCKER_CONFIG: docker.dockerConfig });
}

function get(dockerHost: string, path: string): Promise<string> {
  if (!dockerHost.startsWith('unix://'))
    throw new Error(`the lab's Docker is on a unix socket, not at "${dockerHost}"`);
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: dockerHost.slice('unix://'.length), path, headers: { Host: 'docker' } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`Docker answered ${answer.statusCode} to ${path}: ${text.slice(0, 300)}`));
        });
      },
    );
    call.setTimeout(answerLimitSeconds * 1000, () =>
      call.destroy(new Error(`Docker did not answer within ${answerLimitSeconds} s`)),
    );
    call.on('error', reject);
    call.end();
  });
}
