/** A source of time, given to whatever waits, so that tests own it. Milliseconds, monotonic. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => performance.now() };

/** A moment by which something must have happened. */
export interface Deadline {
  readonly limitSeconds: number;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
  elapsedSeconds(): number;
  passed(): boolean;
}

export function deadlineIn(limitSeconds: number, clock: Clock = systemClock): Deadline {
  const start = clock.now();
  const end = start + limitSeconds * 1000;
  return {
    limitSeconds,
    remainingMs: () => Math.max(0, end - clock.now()),
    elapsedSeconds: () => (clock.now() - start) / 1000,
    passed: () => clock.now() >= end,
  };
}
