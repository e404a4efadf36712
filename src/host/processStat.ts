/** What the kernel says of one process in /proc/PID/stat (proc(5)). */
export interface ProcessStat {
  /** One letter: `R`, `S`, `Z` (a zombie), `X` (dead). */
  readonly state: string;
  readonly parent: number;
  /** When it started, in the kernel's clock ticks since boot: with the pid, what tells a process from a later one. */
  readonly startTicks: string;
}

/** Reads the text of /proc/PID/stat; undefined when it is none. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  // The command, field 2, stands in parentheses and may itself hold spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  const [state, parent, startTicks] = [fields[0], Number(fields[1]), fields[19]];
  if (!state || !Number.isInteger(parent) || !startTicks || !/^\d+$/.test(startTicks)) return undefined;
  return { state, parent, startTicks };
}
