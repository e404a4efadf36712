import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProcessStat } from '../../src/host/processStat.js';

/** /proc/PID/stat of a command: 52 fields, the first ones and the start as given. */
const stat = (command: string, state: string, parent: string, ticks: string) =>
  `7 (${command}) ${[state, parent, ...Array.from({ length: 17 }, () => '0'), ticks, ...Array.from({ length: 30 }, () => '1')].join(' ')}\n`;

describe('what the kernel says of a process', () => {
  const read = { state: 'S', parent: 1, startTicks: '123' };
  const rows: readonly [string, string, object | undefined][] = [
    ['is read', stat('sleep', 'S', '1', '123'), read],
    ['is read behind a command that looks like fields', stat('a) R 9 (b', 'S', '1', '123'), read],
    ['is read behind a command of nothing', stat('', 'S', '1', '123'), read],
    ['is nothing without text', '', undefined],
    ['is nothing of a cut text', '7 (sleep) S 1 0 0', undefined],
    ['is nothing with a parent that is no number', stat('sleep', 'S', 'x', '123'), undefined],
    ['is nothing with a start that is no number', stat('sleep', 'S', '1', '-'), undefined],
  ];
  it.each(rows)('%s', (_name, text, facts) => {
    expect(parseProcessStat(text)).toEqual(facts);
  });

  it('is read whatever the command is called', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), fc.nat(), fc.nat(), (command, parent, ticks) => {
        expect(parseProcessStat(stat(command, 'R', `${parent}`, `${ticks}`))).toEqual({
          state: 'R',
          parent,
          startTicks: `${ticks}`,
        });
      }),
    );
  });

  it('is that of this very process', async () => {
    expect(parseProcessStat(await readFile('/proc/self/stat', 'utf8'))).toMatchObject({ parent: process.ppid });
  });
});
