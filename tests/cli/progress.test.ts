import { describe, expect, it } from 'vitest';
import { progressDisplay } from '../../src/cli/progress.js';

function inLog() {
  const written: string[] = [];
  let ms = 0;
  const display = progressDisplay({ stream: { write: (text: string) => written.push(text) }, now: () => ms });
  return {
    display,
    written,
    at(seconds: number) {
      ms = seconds * 1000;
      return display;
    },
  };
}

describe('progress in a log', () => {
  it('says what is waited for, once while it is the same', () => {
    const log = inLog();
    log.at(0).report('lab/etcd', 'no leader');
    log.at(5).report('lab/etcd', 'no leader');
    log.display.end();
    expect(log.written).toEqual(['lab/etcd: no leader (0 s)\n']);
  });

  it('says a changed wait with the time since the activity began', () => {
    const log = inLog();
    log.at(0).report('ray', 'head 0 of 1');
    log.at(12).report('ray', 'worker 1 of 4');
    log.display.end();
    expect(log.written).toEqual(['ray: head 0 of 1 (0 s)\n', 'ray: worker 1 of 4 (12 s)\n']);
  });

  it('ends with how long it took, when it took any time', () => {
    const log = inLog();
    log.at(0).report('ray', 'head');
    log.at(2.5).report('ray', '');
    log.at(3).report('setup', 'job');
    log.at(3.2).report('setup', '');
    log.display.end();
    expect(log.written).toEqual(['ray: head (0 s)\n', 'ray: done (2.5 s)\n', 'setup: job (0 s)\n']);
  });
});

describe('progress on a terminal', () => {
  it('rewrites one line, cut to the width', () => {
    const written: string[] = [];
    const display = progressDisplay({
      stream: { write: (text: string) => written.push(text), isTTY: true, columns: 20 },
      now: () => 0,
    });
    display.report('ray', 'a wait that is longer than the terminal is wide');
    display.end();
    expect(written[0]).toBe('\r\x1b[2Kray: a wait that is'.slice(0, 5 + 19));
  });
});
