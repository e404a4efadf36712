import type { Wait } from '../model/observation.js';

export interface WaitLog {
  readonly add: (line: string) => void;
  /** In their order; where there were too many, one line in the middle says how many are left out. */
  entries(): readonly Wait[];
}

/** Beginning and end are kept: what was waited for first, and last. */
const keptAtEachEnd = 100;

/** Keeps what a layer waited for, with times. `now` gives the time of a line. */
export function waitLog(now: () => Date = () => new Date()): WaitLog {
  const first: Wait[] = [];
  const last: Wait[] = [];
  let leftOut: { at: string; count: number } | undefined;
  return {
    add: (line) => {
      const wait = { at: now().toISOString(), line };
      if (first.length < keptAtEachEnd) first.push(wait);
      else last.push(wait);
      if (last.length <= keptAtEachEnd) return;
      const [dropped] = last.splice(0, 1);
      leftOut = { at: leftOut?.at ?? dropped?.at ?? wait.at, count: (leftOut?.count ?? 0) + 1 };
    },
    entries: () => [
      ...first,
      ...(leftOut ? [{ at: leftOut.at, line: `(${leftOut.count} lines are left out here)` }] : []),
      ...last,
    ],
  };
}
