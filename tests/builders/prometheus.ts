import type { Sample, ScrapeTarget } from '../../src/gate/model/prometheus.js';

export const sinceMs = Date.parse('2026-01-01T00:00:00Z');
export const freshMs = sinceMs + 5_000;

/** A healthy target of web, scraped after `sinceMs`. */
export function target(fields: Partial<ScrapeTarget> = {}): ScrapeTarget {
  return {
    job: 'django-ray',
    instance: 'django-web-svc:80',
    health: 'up',
    lastError: '',
    lastScrapeMs: freshMs,
    pod: '',
    podUid: '',
    ...fields,
  };
}

export function headTarget(fields: Partial<ScrapeTarget> = {}): ScrapeTarget {
  return target({ job: 'ray-head', instance: 'ray-head-svc:8080', ...fields });
}

/** Of worker `worker-a` at 10.0.0.1, or of `worker-b` at 10.0.0.2. */
export function workerTarget(which: 'a' | 'b', fields: Partial<ScrapeTarget> = {}): ScrapeTarget {
  const instance = `10.0.0.${which === 'a' ? 1 : 2}:8080`;
  return target({ job: 'ray-workers', instance, pod: `worker-${which}`, podUid: `worker-${which}-uid`, ...fields });
}

/** `up` as Prometheus stores it for targets. */
export function upOf(targets: readonly ScrapeTarget[], value = '1'): readonly Sample[] {
  return targets.map(({ job, instance }) => ({ labels: { __name__: 'up', job, instance }, value }));
}

/** The answer to `GET /api/v1/targets` that these targets were read from. */
export function targetsAnswer(targets: readonly ScrapeTarget[]): object {
  const activeTargets = targets.map(({ job, instance, health, lastError, lastScrapeMs, pod, podUid }) => ({
    discoveredLabels: podUid === '' ? {} : { __meta_kubernetes_pod_uid: podUid },
    labels: { job, instance, ...(pod === '' ? {} : { pod }) },
    scrapePool: job,
    health,
    lastError,
    lastScrape: new Date(lastScrapeMs).toISOString().replace('Z', '123456Z'),
  }));
  return { status: 'success', data: { activeTargets, droppedTargets: [] } };
}
