import type { LayerTime, Wait } from '../model/observation.js';

/** Starts to take a layer's time; each call of what it returns gives the time until then. */
export function takeLayerTime(waits: () => readonly Wait[] = () => []): () => LayerTime {
  const [startedAt, startMs] = [new Date().toISOString(), performance.now()];
  return () => ({
    startedAt,
    endedAt: new Date().toISOString(),
    seconds: Math.round(performance.now() - startMs) / 1000,
    waits: waits(),
  });
}
