import { describe, expect, it } from 'vitest';
import { mountsBelow } from '../../src/lab/machine/mounts.js';

const line = (path: string) => `36 35 98:0 /mnt1 ${path} rw,noatime master:1 - ext3 /dev/root rw`;

describe('the mounts that `down` removes', () => {
  const rows: readonly [string, readonly string[], readonly string[], readonly string[]][] = [
    [
      'are those below its folders, the deepest (last mounted) first',
      ['/', '/run/raygate/a', '/run/raygate/a/b'],
      ['/run/raygate'],
      ['/run/raygate/a/b', '/run/raygate/a'],
    ],
    ['are not those of a folder whose name only begins alike', ['/run/raygate2/a'], ['/run/raygate'], []],
    ['are not the folder itself', ['/run/raygate'], ['/run/raygate'], []],
    [
      'include paths with blanks, which the kernel writes in octal',
      ['/run/raygate/a\\040b'],
      ['/run/raygate'],
      ['/run/raygate/a b'],
    ],
  ];
  it.each(rows)('%s', (_, mounted, folders, expected) => {
    expect(mountsBelow(mounted.map(line).join('\n'), folders)).toEqual(expected);
  });
});
