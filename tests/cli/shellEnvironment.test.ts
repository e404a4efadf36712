import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LabAccess, shellEnvironment, shellExports } from '../../src/cli/shellEnvironment.js';
import { program } from '../lab/command.js';

const pulumi = { PATH: '/pulumi/bin:/usr/bin', PULUMI_HOME: '/pulumi/home' };
const lab = {
  dockerHost: 'unix:///run/docker.sock',
  dockerConfig: '/state/docker-config',
  kubeconfig: '/state/kubeconfig',
  programFolders: ['/bin/kubernetes-1'],
};
const access = { DOCKER_HOST: lab.dockerHost, DOCKER_CONFIG: lab.dockerConfig, KUBECONFIG: lab.kubeconfig };

describe('the environment of a shell', () => {
  const rows: readonly [string, LabAccess | undefined, Readonly<Record<string, string>>][] = [
    ['is for Pulumi alone where no lab was ever up', undefined, pulumi],
    [
      'reaches the lab, whose kubectl stands behind what the user has',
      lab,
      { ...pulumi, ...access, PATH: '/pulumi/bin:/usr/bin:/bin/kubernetes-1' },
    ],
    ['reaches the lab without programs that are not built', { ...lab, programFolders: [] }, { ...pulumi, ...access }],
  ];
  it.each(rows)('%s', (_name, reached, environment) => {
    expect(shellEnvironment(pulumi, reached)).toEqual(environment);
  });

  it('is what a shell has after eval, whatever the values hold', async () => {
    const value = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        const script = `${shellExports({ RAYGATE_A: text })}printf %s. "$RAYGATE_A"`;
        expect((await program('sh', ['-c', script])).stdout).toBe(`${text}.`);
      }),
      { numRuns: 20 },
    );
  });
});
