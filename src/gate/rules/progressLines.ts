import type { LayerLine } from '../model/status.js';

/** The newest line of each layer in a run's log, in the order in which those were written; lines of another form are passed over. */
export function progressLines(log: string): readonly LayerLine[] {
  const newest = new Map<string, LayerLine>();
  for (const line of log.split('\n')) {
    const [, at, layer, text] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) \[([a-z-]+)\] (.*)$/.exec(line) ?? [];
    if (at === undefined || layer === undefined || text === undefined) continue;
    newest.delete(layer);
    newest.set(layer, { layer, at, text });
  }
  return [...newest.values()];
}
