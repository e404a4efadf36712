import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeWholeFolder } from '../../src/host/wholeFolder.js';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'raygate-folder-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const files = (content: string) =>
  new Map([
    ['a', content],
    ['b', content],
  ]);
const target = () => join(parent, 'state', 'target');

describe('a folder that is written whole', () => {
  test('is there with its files, private, and nothing is beside it', async () => {
    await writeWholeFolder(target(), files('1'));
    expect([await readdir(target()), await readdir(join(parent, 'state'))]).toEqual([['a', 'b'], ['target']]);
    expect([(await stat(target())).mode & 0o777, (await stat(join(target(), 'a'))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  test('takes the place of the one before, with all that was in it', async () => {
    await writeWholeFolder(target(), new Map([...files('1'), ['old', '']]));
    await writeWholeFolder(target(), files('2'));
    expect(await readdir(target())).toEqual(['a', 'b']);
    expect(await readFile(join(target(), 'a'), 'utf8')).toBe('2');
    expect(await readdir(join(parent, 'state'))).toEqual(['target']);
  });

  test('leaves the one before as it was when a file cannot be written', async () => {
    await writeWholeFolder(target(), files('1'));
    await expect(writeWholeFolder(target(), new Map([...files('2'), ['no/such/folder', '']]))).rejects.toThrow(
      'ENOENT',
    );
    expect(await readFile(join(target(), 'a'), 'utf8')).toBe('1');
    expect(await readdir(join(parent, 'state'))).toEqual(['target']);
  });

  test('sweeps what a killed writer left of the same folder, and nothing else', async () => {
    for (const name of ['.target.writing-0123', '.other.writing-0123']) {
      await mkdir(join(parent, 'state', name), { recursive: true });
      await writeFile(join(parent, 'state', name, 'half'), '');
    }
    await chmod(join(parent, 'state'), 0o700);
    await writeWholeFolder(target(), files('1'));
    expect((await readdir(join(parent, 'state'))).sort()).toEqual(['.other.writing-0123', 'target']);
  });
});
