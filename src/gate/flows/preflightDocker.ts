import { GateError } from '../../core/gateError.js';
import { currentDockerEndpoint, dockerServerVersion } from '../../host/docker.js';
import { dockerEndpointProblem } from '../../host/dockerEndpoint.js';
import { isProcessFailure, run } from '../../host/process.js';

export interface DockerChoice {
  /** Undefined: what the client's own configuration says. */
  readonly dockerHost: string | undefined;
  readonly dockerConfig: string | undefined;
  readonly context: string;
}

/** The Docker endpoint that a run pins, once it is one that is allowed and that answers; for a kind cluster, its program too. */
export async function checkDocker(options: DockerChoice, seconds: number): Promise<string> {
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

function problem(code: string, message: string): GateError {
  return new GateError({ layer: 'preflight', code: `preflight.${code}`, message });
}
