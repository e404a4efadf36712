import { delimiter } from 'node:path';

/** What a shell needs to reach the lab beside Pulumi: its Docker and its cluster. */
export interface LabAccess {
  readonly dockerHost: string;
  readonly dockerConfig: string;
  readonly kubeconfig: string;
  /** Folders of the lab's own programs that are built (kubectl); behind the user's own, which do as well. */
  readonly programFolders: readonly string[];
}

/**
 * The environment of a shell for a plain `pulumi`, and for `docker` and `kubectl` on the lab where there is one. The program itself
 * goes by the stack's settings alone, whatever stands here.
 */
export function shellEnvironment(
  pulumi: Readonly<Record<string, string>>,
  lab: LabAccess | undefined,
): Readonly<Record<string, string>> {
  if (lab === undefined) return pulumi;
  return {
    ...pulumi,
    PATH: [pulumi['PATH'] ?? '', ...lab.programFolders].filter((part) => part !== '').join(delimiter),
    DOCKER_HOST: lab.dockerHost,
    DOCKER_CONFIG: lab.dockerConfig,
    KUBECONFIG: lab.kubeconfig,
  };
}

/** Lines for `eval` in a POSIX shell. */
export function shellExports(environment: Readonly<Record<string, string>>): string {
  const quote = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  return Object.entries(environment)
    .map(([key, value]) => `export ${key}=${quote(value)}\n`)
    .join('');
}
