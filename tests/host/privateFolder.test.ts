import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createPrivateFolder,
  leftPrivateFolders,
  sweepPrivateFolders,
  withPrivateFolder,
} from '../../src/host/privateFolder.js';
import { run } from '../../src/host/process.js';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'raygate-parent-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('a private folder', () => {
  test('is open to its owner only', async () => {
    const folder = await createPrivateFolder(parent);
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  });

  test('is gone after the work in it succeeded', async () => {
    await withPrivateFolder((path) => writeFile(join(path, 'file'), ''), parent);
    expect(await readdir(parent)).toEqual([]);
  });

  test('is gone after the work in it failed', async () => {
    const failing = withPrivateFolder(async () => {
      throw new Error('work failed');
    }, parent);
    await expect(failing).rejects.toThrow('work failed');
    expect(await readdir(parent)).toEqual([]);
  });

  test('of a process that lives is not swept', async () => {
    const folder = await createPrivateFolder(parent);
    expect(await sweepPrivateFolders(parent)).toEqual([]);
    await folder.remove();
  });

  test('of a process that was killed is swept', async () => {
    const { stdout } = await run({
      file: process.execPath,
      argv: ['-e', 'console.log(process.pid)'],
      timeoutSeconds: 10,
    });
    const left = join(parent, `django-ray-local-gate-${stdout.trim()}-12345-abcdef`);
    await mkdir(left);
    await writeFile(join(left, 'kubeconfig'), '');
    expect(await sweepPrivateFolders(parent)).toEqual([left]);
  });

  test('whose pid belongs to another process by now is swept', async () => {
    const left = join(parent, `django-ray-local-gate-${process.pid}-1-abcdef`);
    await mkdir(left);
    expect(await sweepPrivateFolders(parent)).toEqual([left]);
  });

  test('and what lay beside it is swept', async () => {
    const left = join(parent, `django-ray-local-gate-${process.pid}-1-abcdef.tar`);
    await writeFile(left, '');
    expect(await sweepPrivateFolders(parent)).toEqual([left]);
  });

  test('of this process is said to be left until it is removed, and no other is', async () => {
    await mkdir(join(parent, `django-ray-local-gate-${process.pid}-1-abcdef`));
    const folder = await createPrivateFolder(parent);
    expect(await leftPrivateFolders(parent)).toEqual([folder.path]);
    await folder.remove();
    expect(await leftPrivateFolders(parent)).toEqual([]);
  });

  test('sweeping leaves everything else alone', async () => {
    await mkdir(join(parent, 'django-ray-local-gate-notes'));
    await mkdir(join(parent, 'other'));
    expect(await sweepPrivateFolders(parent)).toEqual([]);
    expect(await readdir(parent)).toHaveLength(2);
  });
});
