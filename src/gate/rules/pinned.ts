import type { LayerPins, Pin } from '../model/pin.js';

/**
 * The first thing that is no longer what a layer pinned, as `pod web-1: restarts 0 -> 1 (pinned by ray)`; undefined when everything
 * still is. Only what was pinned is compared; whether there is more than that, the layers' own rules say.
 */
export function pinDifference(layers: readonly LayerPins[], live: readonly Pin[]): string | undefined {
  const now = new Map(live.map((pin) => [pin.subject, pin.fields]));
  for (const { layer, pins } of layers) {
    for (const { subject, called, fields } of pins) {
      const found = now.get(subject);
      if (found === undefined) return `${subject}${called ? ` (${called})` : ''}: gone (pinned by ${layer})`;
      for (const [name, was] of Object.entries(fields)) {
        const is = found[name] ?? 'nothing';
        if (is !== was) return `${subject}: ${name} ${was} -> ${is} (pinned by ${layer})`;
      }
    }
  }
  return undefined;
}
