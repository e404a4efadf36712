import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePulumiHome } from '../../src/cli/pulumi/home.js';
import { program, projectFolder } from '../lab/command.js';
import { pulumiFolder } from './support/pulumiProject.js';

const programs = await pulumiFolder();

const index = `
const pulumi = require('@pulumi/pulumi');
new pulumi.dynamic.Resource({ create: async () => ({ id: 'a', outs: {} }) }, 'a', {});
`;

/** The real CLI out of a home of ours: it warns of each plugin that it finds elsewhere than beside itself. */
describe.skipIf(programs === undefined)("the CLI in raygate's own home", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-home-'));
    const project = join(folder, 'project');
    await mkdir(project);
    await writeFile(
      join(project, 'Pulumi.yaml'),
      'name: home\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n',
    );
    await writeFile(join(project, 'package.json'), '{"name":"home","main":"index.js"}\n');
    await writeFile(join(project, 'index.js'), index);
    await symlink(join(projectFolder, 'node_modules'), join(project, 'node_modules'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('finds the language host and the dynamic provider, and warns of neither', async () => {
    const real = (name: string) => realpath(join(programs as string, name));
    const home = await ensurePulumiHome(join(folder, 'pulumi'), {
      pulumi: await real('pulumi'),
      languageHost: await real('pulumi-language-nodejs'),
      kubernetesProvider: await real('pulumi'),
    });
    const pulumi = async (...argv: readonly string[]) => {
      const ended = await program(join(home.programFolder, 'pulumi'), [...argv, '--non-interactive', '--color=never'], {
        folder: join(folder, 'project'),
        env: home.environment,
      });
      return { code: ended.code, output: ended.stdout + ended.stderr };
    };
    expect(await pulumi('stack', 'init', 'test')).toMatchObject({ code: 0 });
    const { code, output } = await pulumi('up', '--yes', '--skip-preview');
    expect([code, /warning|\$PATH/i.exec(output)?.[0] ?? 'no warning', output.includes('1 error')]).toEqual([
      0,
      'no warning',
      false,
    ]);
  });
});
