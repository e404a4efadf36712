import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/host/process.js';
import { aKubeconfig, makePki } from '../builders/kubeconfig.js';
import { fakeDocker } from '../fakes/docker.js';
import { createPulumiProject, type PulumiProject, pulumiFolder } from './support/pulumiProject.js';

const programs = await pulumiFolder();
const checkout = join(import.meta.dirname, '..', '..');

const pki = await makePki();
const kubeconfig = (server: string, context: string) =>
  JSON.stringify(aKubeconfig(pki, { server, context, user: { token: 'S3CRET-token-of-the-kubeconfig' } }));

describe.skipIf(programs === undefined)('the program under the real CLI', () => {
  let folder: string;
  let project: PulumiProject;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-program-'));
    const fakes = join(folder, 'fakes');
    (await fakeDocker(fakes, { '{{.ServerVersion}}': 'sha256:x' }))();
    project = await createPulumiProject(programs as string, fakes);
    await rm(project.folder, { recursive: true });
    await git(folder, 'clone', '-q', checkout, project.folder);
    for (const name of ['dist', 'node_modules']) await symlink(join(checkout, name), join(project.folder, name));
    await writeFile(join(project.folder, '.git', 'info', 'exclude'), 'dist\nnode_modules\n');
    expect(await project.pulumi('stack', 'init', 'test')).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    await project?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const git = (cwd: string, ...argv: string[]) => run({ file: 'git', argv, cwd, timeoutSeconds: 60 });
  const settings = async (values: Readonly<Record<string, string>>) => {
    const lines = Object.entries(values).map(([key, value]) => `  raygate:${key}: ${JSON.stringify(value)}`);
    const salt = /^encryptionsalt: .*$/m.exec(await project.read('Pulumi.test.yaml').catch(() => ''))?.[0] ?? '';
    await project.write('Pulumi.test.yaml', `${salt}\nconfig:\n${lines.join('\n')}\n`);
  };
  const valid = async (server: string, context: string) => {
    const path = join(folder, 'kubeconfig');
    await writeFile(path, kubeconfig(server, context), { mode: 0o600 });
    await settings({ kubeconfig: path, context, rayRestart: 'required', dockerHost: 'unix:///nowhere/docker.sock' });
  };
  /** The user's view of a refused preview; it must say one line, no stack, no secret, and leave nothing. */
  const refusal = async () => {
    const { exitCode, output } = await project.pulumi('preview');
    expect(exitCode).not.toBe(0);
    expect(output).not.toMatch(/\n\s+at /);
    expect(output).not.toContain('S3CRET');
    expect(await readdir(project.folder)).not.toContain('.raygate');
    return output;
  };

  test('names every setting that is missing, at once', async () => {
    await settings({});
    const output = await refusal();
    for (const key of ['kubeconfig', 'context', 'rayRestart']) expect(output).toContain(`raygate:${key} is missing`);
  });

  test('refuses a context that is not local by its name', async () => {
    await settings({ kubeconfig: '/k', context: 'production', rayRestart: 'skip' });
    expect(await refusal()).toContain('raygate:context must be docker-desktop or kind-NAME');
  });

  test('refuses a dirty tree', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop');
    await project.write('app/new.py', '');
    expect(await refusal()).toContain('FAILED [preflight]: The working tree has uncommitted changes (app/new.py)');
    await rm(join(project.folder, 'app', 'new.py'));
  });

  test('refuses a local name with a public server', async () => {
    await valid('https://203.0.113.7:6443', 'kind-a');
    await mkdir(join(folder, 'fakes'), { recursive: true });
    await writeFile(join(folder, 'fakes', 'kind'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await refusal()).toMatch(/FAILED \[preflight\]: .*not on this machine.*\(kubeconfig\.server-not-local\)/);
  });

  test('says that the API server does not answer', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop');
    const config = await project.read('Pulumi.test.yaml');
    await project.write('Pulumi.test.yaml', `${config}  raygate:deadlines: '{"preflight":1}'\n`);
    expect(await refusal()).toMatch(/FAILED \[preflight\]: Secret django-ray-secret cannot be read: /);
  });

  test('says that Docker does not answer', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop');
    await writeFile(
      join(folder, 'fakes', 'docker'),
      '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    expect(await refusal()).toContain('FAILED [preflight]: Docker does not answer');
  });
});
