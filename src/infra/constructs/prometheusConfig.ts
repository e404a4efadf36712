import { names, stackNamespace } from '../names.js';
import { ports } from '../ports.js';

/** Where the API token is mounted: one key of the Secret, as a file. */
export const tokenFolder = '/etc/prometheus-secrets';

/** Names of the scrape jobs. Task managers expose no HTTP: a job `django-ray-worker` must never come back. */
export const scrapeJobs = ['ray-head', 'ray-workers', 'django-ray'] as const;

/** Scrape configuration, as data; Prometheus 2.53 reads it as YAML, of which JSON is a part. */
export function prometheusConfig() {
  return {
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    scrape_configs: [
      {
        job_name: 'ray-head',
        metrics_path: '/metrics',
        static_configs: [{ targets: [`${names.rayHeadService}:${ports.rayMetrics}`] }],
      },
      {
        job_name: 'ray-workers',
        kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [stackNamespace] } }],
        relabel_configs: [
          keep(['__meta_kubernetes_pod_annotation_prometheus_io_scrape'], 'true'),
          keep(['__meta_kubernetes_pod_label_app', '__meta_kubernetes_pod_label_component'], 'ray;worker'),
          {
            source_labels: ['__meta_kubernetes_pod_annotation_prometheus_io_path'],
            action: 'replace',
            target_label: '__metrics_path__',
            regex: '(.+)',
          },
          {
            source_labels: ['__address__', '__meta_kubernetes_pod_annotation_prometheus_io_port'],
            action: 'replace',
            target_label: '__address__',
            regex: '([^:]+)(?::\\d+)?;(\\d+)',
            replacement: '$1:$2',
          },
          { source_labels: ['__meta_kubernetes_pod_name'], action: 'replace', target_label: 'pod' },
        ],
      },
      {
        job_name: 'django-ray',
        metrics_path: '/api/metrics',
        authorization: { type: 'Bearer', credentials_file: `${tokenFolder}/DJANGO_API_TOKEN` },
        static_configs: [{ targets: [`${names.webService}:${ports.webService}`] }],
      },
    ],
  };
}

function keep(labels: readonly string[], regex: string) {
  return { source_labels: labels, action: 'keep', regex };
}
