import { randomBytes } from 'node:crypto';

/** `20260131T120000Z-1a2b3c4d`: ids sort by the time at which their runs began. */
export function newRunId(now: Date = new Date()): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}

/** When the run of an id began, RFC 3339; the id itself for one of another form. */
export function startOfRun(runId: string): string {
  return runId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]+$/, '$1-$2-$3T$4:$5:$6Z');
}
