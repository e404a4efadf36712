import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFile, hashFolder, hashParts } from '../../../src/lab/images/contentKey.js';

const key = (parts: readonly string[]) => hashParts(createHash('sha256'), parts);

describe('a key of parts', () => {
  it('differs whenever the parts differ, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(key(a) === key(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    expect(key(['ab', 'c'])).not.toBe(key(['a', 'bc']));
    expect(key(['1\0a'])).not.toBe(key(['', 'a']));
  });
});

describe('a key of a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-key-'));
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'a'), 'one');
    await writeFile(join(folder, 'sub', 'b'), 'two');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const changes: readonly [string, () => Promise<unknown>][] = [
    ['a content', () => writeFile(join(folder, 'sub', 'b'), 'too')],
    ['a name', () => rename(join(folder, 'a'), join(folder, 'c'))],
    ['an executable bit', () => chmod(join(folder, 'a'), 0o755)],
    ['one file more', () => writeFile(join(folder, 'sub', 'c'), '')],
    ['one file less', () => rm(join(folder, 'a'))],
  ];

  it.each(changes)('changes with %s', async (_name, change) => {
    const before = await hashFolder(folder);
    await change();
    expect(await hashFolder(folder)).not.toBe(before);
  });

  it('stays when the folder moves and when a file is only written again', async () => {
    const before = await hashFolder(folder);
    await writeFile(join(folder, 'a'), 'one');
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    expect(await hashFolder(moved)).toBe(before);
    await rename(moved, folder);
  });

  it('of one file goes by its content', async () => {
    const before = await hashFile(join(folder, 'a'));
    await writeFile(join(folder, 'sub', 'same'), 'one');
    expect(await hashFile(join(folder, 'sub', 'same'))).toBe(before);
    expect(await hashFile(join(folder, 'sub', 'b'))).not.toBe(before);
  });
});
