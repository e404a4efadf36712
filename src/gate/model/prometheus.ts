import { asList, asRecord, asText, asTextMap, at } from './json.js';

/** Scrape jobs of the overlay; the counts of Ray's follow from its plan. */
export const webJob = 'django-ray';
export const headJob = 'ray-head';
export const workerJob = 'ray-workers';
/** Task managers expose no HTTP: this job was removed, and must never come back. */
export const removedJob = 'django-ray-worker';

/** One active target (Prometheus 2.53, `GET /api/v1/targets`). */
export interface ScrapeTarget {
  readonly job: string;
  /** `HOST:PORT`. */
  readonly instance: string;
  /** `up`, `down`, `unknown`. */
  readonly health: string;
  readonly lastError: string;
  /** Start of the last scrape by Prometheus's clock, in milliseconds since 1970; before 1970 when there was none. */
  readonly lastScrapeMs: number;
  /** The label that relabelling gives a worker. */
  readonly pod: string;
  /** As Kubernetes discovery found it; empty for a static target. */
  readonly podUid: string;
}

/** A sample of an instant query. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
}

/** The active targets out of an answer's `data`; a problem when one is none, or has no job. */
export function readTargets(data: unknown): readonly ScrapeTarget[] | undefined {
  const active = at(data, 'activeTargets');
  if (!Array.isArray(active)) return undefined;
  const targets = active.map(asRecord).map((target) => {
    const [labels, discovered] = [asTextMap(target['labels']), asTextMap(target['discoveredLabels'])];
    return {
      job: labels['job'] ?? '',
      instance: labels['instance'] ?? '',
      health: asText(target['health']),
      lastError: asText(target['lastError']),
      lastScrapeMs: Date.parse(asText(target['lastScrape'])),
      pod: labels['pod'] ?? '',
      podUid: discovered['__meta_kubernetes_pod_uid'] ?? '',
    };
  });
  return targets.every((target) => target.job !== '' && !Number.isNaN(target.lastScrapeMs)) ? targets : undefined;
}

/** The samples of an instant vector. */
export function readVector(data: unknown): readonly Sample[] | undefined {
  if (at(data, 'resultType') !== 'vector' || !Array.isArray(at(data, 'result'))) return undefined;
  return asList(at(data, 'result')).map((entry) => ({
    labels: asTextMap(at(entry, 'metric')),
    value: asText(asList(at(entry, 'value'))[1]),
  }));
}

/** The value of a scalar, such as `time()` in seconds. */
export function readScalar(data: unknown): number | undefined {
  const value = Number(asText(asList(at(data, 'result'))[1]) || Number.NaN);
  return at(data, 'resultType') === 'scalar' && Number.isFinite(value) ? value : undefined;
}
