import type { Progress } from '../core/progress.js';

interface Activity {
  readonly startedMs: number;
  waitingFor: string;
  shownMs: number;
}

export interface ProgressOptions {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly now?: () => number;
  /** Seconds after which an unchanged wait is said again in a log. Default: 30. */
  readonly repeatSeconds?: number;
}

export interface ProgressDisplay {
  readonly report: Progress;
  /** Prints a line of its own, above what is in progress. */
  say(line: string): void;
  end(): void;
}

/**
 * Shows what is waited for, and for how long. On a terminal one line is rewritten each second; in a log a line is written when
 * it changes, and again every `repeatSeconds` while it does not.
 */
export function progressDisplay(options: ProgressOptions): ProgressDisplay {
  const now = options.now ?? (() => performance.now());
  const repeatMs = (options.repeatSeconds ?? 30) * 1000;
  const activities = new Map<string, Activity>();
  const isTerminal = options.stream.isTTY === true;
  const clear = isTerminal ? '\r\x1b[2K' : '';

  const text = (name: string, activity: Activity) =>
    `${name}: ${activity.waitingFor} (${Math.round((now() - activity.startedMs) / 1000)} s)`;
  const redraw = () => {
    if (!isTerminal) return;
    const lines = [...activities].map(([name, activity]) => text(name, activity));
    options.stream.write(`${clear}${lines.join(' | ').slice(0, (options.stream.columns ?? 80) - 1)}`);
  };
  const tick = setInterval(() => {
    if (isTerminal) return redraw();
    for (const [name, activity] of activities) {
      if (now() - activity.shownMs < repeatMs) continue;
      activity.shownMs = now();
      options.stream.write(`${text(name, activity)}\n`);
    }
  }, 1000);
  tick.unref();

  return {
    report(name, waitingFor) {
      const before = activities.get(name);
      if (waitingFor === '') {
        activities.delete(name);
        if (before) {
          const seconds = (now() - before.startedMs) / 1000;
          if (seconds >= 1) options.stream.write(`${clear}${name}: done (${seconds.toFixed(1)} s)\n`);
        }
        return redraw();
      }
      if (before?.waitingFor === waitingFor) return;
      const activity = before ?? { startedMs: now(), waitingFor, shownMs: 0 };
      activity.waitingFor = waitingFor;
      activities.set(name, activity);
      if (isTerminal) return redraw();
      // A short wait is not worth a line in a log: it is said when it lasts, or at once when it is long known.
      if (before && now() - activity.shownMs < 1000) return;
      activity.shownMs = now();
      options.stream.write(`${text(name, activity)}\n`);
    },
    say(line) {
      options.stream.write(`${clear}${line}\n`);
      redraw();
    },
    end() {
      clearInterval(tick);
      if (isTerminal) options.stream.write(clear);
    },
  };
}
