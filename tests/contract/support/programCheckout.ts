import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../../src/host/process.js';
import { fakeDocker } from '../../fakes/docker.js';
import { createPulumiProject, type PulumiProject } from './pulumiProject.js';

const checkout = join(import.meta.dirname, '..', '..', '..');

/** The commit of this checkout as a project of its own, under the real CLI, with a Docker that answers. */
export interface ProgramCheckout {
  readonly project: PulumiProject;
  /** Lays a program first on PATH, in place of the machine's own. */
  program(name: string, script: string): Promise<void>;
  /** The whole of the stack's settings. */
  settings(values: Readonly<Record<string, string>>): Promise<void>;
  /** Writes a kubeconfig and valid settings for a context of it. */
  cluster(kubeconfig: string, context: string, others?: Readonly<Record<string, string>>): Promise<void>;
  /** The user's view of a refused preview; it must say no stack and none of `secrets`, and leave nothing. */
  refusal(secrets: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function programCheckout(programs: string): Promise<ProgramCheckout> {
  const folder = await mkdtemp(join(tmpdir(), 'raygate-program-'));
  const fakes = join(folder, 'fakes');
  (await fakeDocker(fakes, { '{{.ServerVersion}}': 'sha256:x' }))();
  const project = await createPulumiProject(programs, fakes);
  await rm(project.folder, { recursive: true });
  await run({ file: 'git', argv: ['clone', '-q', checkout, project.folder], cwd: folder, timeoutSeconds: 60 });
  for (const name of ['dist', 'node_modules']) await symlink(join(checkout, name), join(project.folder, name));
  await writeFile(join(project.folder, '.git', 'info', 'exclude'), 'dist\nnode_modules\n');
  expect(await project.pulumi('stack', 'init', 'test')).toMatchObject({ exitCode: 0 });

  const settings = async (values: Readonly<Record<string, string>>) => {
    const lines = Object.entries(values).map(([key, value]) => `  raygate:${key}: ${JSON.stringify(value)}`);
    const salt = /^encryptionsalt: .*$/m.exec(await project.read('Pulumi.test.yaml').catch(() => ''))?.[0] ?? '';
    await project.write('Pulumi.test.yaml', `${salt}\nconfig:\n${lines.join('\n')}\n`);
  };
  return {
    project,
    program: (name, script) => writeFile(join(fakes, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    settings,
    cluster: async (kubeconfig, context, others = {}) => {
      const path = join(folder, 'kubeconfig');
      await writeFile(path, kubeconfig, { mode: 0o600 });
      const dockerHost = 'unix:///nowhere/docker.sock';
      await settings({ kubeconfig: path, context, rayRestart: 'required', dockerHost, ...others });
    },
    refusal: async (secrets) => {
      const stackFile = await readFile(join(project.folder, 'Pulumi.test.yaml'), 'utf8');
      const { exitCode, output } = await project.pulumi('preview');
      expect(exitCode).not.toBe(0);
      expect(output).not.toMatch(/\n\s+at /);
      expect(output).not.toMatch(/Warning: /);
      for (const secret of secrets) expect(output).not.toContain(secret);
      expect(await readdir(project.folder)).not.toContain('.raygate');
      expect(await readFile(join(project.folder, 'Pulumi.test.yaml'), 'utf8')).toBe(stackFile);
      return output;
    },
    remove: async () => {
      await project.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
