import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { healFolder, writeWholeFolder } from '../../src/host/wholeFolder.js';
import { program } from '../lab/command.js';

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
    await expect(writeWholeFolder(target(), new Map([...files('2'), ['a/under a file', '']]))).rejects.toThrow(
      'ENOTDIR',
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

  test('is put back when a writer was killed after it had moved it aside', async () => {
    await mkdir(join(parent, 'state', '.target.writing-0123', 'old'), { recursive: true });
    await writeFile(join(parent, 'state', '.target.writing-0123', 'old', 'a'), '1');
    await healFolder(target());
    expect([await readdir(join(parent, 'state')), await readFile(join(target(), 'a'), 'utf8')]).toEqual([
      ['target'],
      '1',
    ]);
  });

  test('holds folders, and can be for all to read', async () => {
    await writeWholeFolder(target(), new Map([['x/y/a', '1']]), 'all');
    const shared = (await stat(join(target(), 'x', 'y', 'a'))).mode & 0o777;
    expect(shared).toBe(0o666 & ~process.umask());
    await writeWholeFolder(target(), new Map([['x/y/a', '1']]));
    expect((await stat(join(target(), 'x', 'y'))).mode & 0o777).toBe(0o700);
  });

  test('is as it was, with nothing beside it, when the process exits in the middle', async () => {
    await writeWholeFolder(target(), files('1'));
    const script = `
      const { writeWholeFolder } = require('./dist/host/wholeFolder.js');
      const { existsSync } = require('node:fs');
      const files = new Map(Array.from({ length: 3000 }, (_, at) => ['a' + at, 'x']));
      const target = ${JSON.stringify(target())};
      void writeWholeFolder(target, files);
      const { readdirSync } = require('node:fs');
      setInterval(() => {
        if (readdirSync(require('node:path').dirname(target)).some((name) => name.includes('.writing-'))) process.exit(7);
      }, 1);`;
    const { code } = await program(process.execPath, ['-e', script]);
    expect([code, await readdir(join(parent, 'state')), await readdir(target())]).toEqual([7, ['target'], ['a', 'b']]);
  });
});
