import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePulumiHome, type PulumiPrograms } from '../../src/cli/pulumi/home.js';
import { program } from '../lab/command.js';

let folder: string;
let programs: PulumiPrograms;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-home-'));
  programs = {
    pulumi: await built('cli', 'pulumi'),
    languageHost: await built('language', 'pulumi-language-nodejs'),
    kubernetesProvider: await built('cli', 'pulumi-resource-kubernetes'),
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that says which it is, in the folder of its unit. */
async function built(unit: string, name: string, says = name): Promise<string> {
  const path = join(folder, unit, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho ${says}\n`);
  await chmod(path, 0o755);
  return path;
}
const ensure = (of = programs) => ensurePulumiHome(join(folder, 'pulumi'), of);

/** Where Pulumi 3.215 finds a plugin on PATH, and where beside its own file, links resolved: it warns when they differ. */
async function found(path: string, plugin: string) {
  const first = async (name: string) => {
    for (const each of path.split(delimiter)) {
      const there = await stat(join(each, name)).catch(() => undefined);
      if (there && (there.mode & 0o100) !== 0) return join(each, name);
    }
    return 'none';
  };
  const ambient = await first(plugin);
  const bundled = join(dirname(await realpath(await first('pulumi'))), plugin);
  return { ambient, bundled, isWarned: ambient !== bundled && (await realpath(ambient)) !== bundled };
}

describe("Pulumi's home", () => {
  it.each(['pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs'])(
    'has %s where pulumi looks for it, so that it warns of nothing',
    async (plugin) => {
      const { environment, programFolder } = await ensure();
      expect(await found(environment['PATH'] ?? '', plugin)).toEqual({
        ambient: join(programFolder, plugin),
        bundled: join(programFolder, plugin),
        isWarned: false,
      });
    },
  );

  it('holds programs that run', async () => {
    const { programFolder } = await ensure();
    for (const name of ['pulumi', 'pulumi-language-nodejs'])
      expect((await program(join(programFolder, name), [])).stdout).toBe(`${name}\n`);
  });

  it('takes the place of the link that an earlier version laid, and of an older program', async () => {
    const path = join(folder, 'pulumi', 'bin', 'pulumi');
    await mkdir(dirname(path), { recursive: true });
    await symlink(programs.pulumi, path);
    await ensure();
    expect((await lstat(path)).isFile()).toBe(true);
    await ensure({ ...programs, pulumi: await built('cli-2', 'pulumi', 'PULUMI') });
    expect(await readFile(path, 'utf8')).toContain('PULUMI');
  });

  it('has nothing half-laid when a program cannot be put there', async () => {
    await mkdir(join(folder, 'pulumi', 'bin', 'pulumi'), { recursive: true });
    await expect(ensure()).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(join(folder, 'pulumi', 'bin'))).toEqual(['pulumi']);
  });

  it('is the same when it is laid again, and keeps its passphrase', async () => {
    const first = await ensure();
    const passphrase = join(first.folder, 'passphrase');
    const [before, secret] = [await stat(join(first.programFolder, 'pulumi')), await readFile(passphrase, 'utf8')];
    expect(await ensure()).toEqual(first);
    expect((await stat(join(first.programFolder, 'pulumi'))).ino).toBe(before.ino);
    expect(await readFile(passphrase, 'utf8')).toBe(secret);
    expect((await readdir(first.programFolder)).sort()).toEqual([
      'pulumi',
      'pulumi-language-nodejs',
      'pulumi-resource-pulumi-nodejs',
    ]);
  });

  it("leaves a user's own pulumi the plugins beside it, and gives what it lacks", async () => {
    const own = join(folder, 'user');
    for (const name of ['pulumi', 'pulumi-resource-pulumi-nodejs']) await built('user', name);
    const before = process.env['PATH'];
    process.env['PATH'] = own;
    try {
      const path = (await ensurePulumiHome(join(folder, 'pulumi'), undefined)).environment['PATH'] ?? '';
      expect(await found(path, 'pulumi-resource-pulumi-nodejs')).toMatchObject({
        ambient: join(own, 'pulumi-resource-pulumi-nodejs'),
        isWarned: false,
      });
      await rm(join(own, 'pulumi-resource-pulumi-nodejs'));
      expect((await found(path, 'pulumi-resource-pulumi-nodejs')).ambient).toMatch(/@pulumi\/pulumi\/pulumi-resource/);
    } finally {
      process.env['PATH'] = before;
    }
  });
});
