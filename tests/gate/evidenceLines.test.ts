import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourcesOf } from '../../src/gate/report/evidence.js';
import {
  evidenceBlock,
  evidenceHeader,
  evidenceLines,
  evidenceValues,
  lineLimit,
  notObserved,
} from '../../src/gate/report/evidenceLines.js';
import { evidenceRows } from '../../src/gate/report/evidenceRows.js';
import { evidenceDocument } from '../builders/evidence.js';

const key = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(_[a-z0-9]{1,6}){0,4}$/);

describe('a line of evidence', () => {
  test('is key=value when it fits', () => {
    expect(evidenceLines('task_result', '5')).toEqual(['task_result=5']);
  });

  test('of exactly 72 characters is one line, of 73 is two parts', () => {
    expect(evidenceLines('k', 'v'.repeat(70))).toHaveLength(1);
    expect(evidenceLines('k', 'v'.repeat(71))).toEqual([
      'k_parts=002',
      `k_part_001=${'v'.repeat(61)}`,
      `k_part_002=${'v'.repeat(10)}`,
    ]);
  });

  test('cannot be forged by a line end in a value', () => {
    expect(evidenceLines('task_id', 'x\ntask_state=SUCCEEDED')).toEqual(['task_id=x\\ntask_state=SUCCEEDED']);
  });

  test('never exceeds 72 characters, and its parts join to the value', () => {
    fc.assert(
      fc.property(key, fc.string({ unit: fc.stringMatching(/^[!-~]$/), maxLength: 900 }), (name, value) => {
        const lines = evidenceLines(name, value);
        expect(lines.every((line) => line.length <= lineLimit && !/[\r\n]/.test(line))).toBe(true);
        const joined =
          lines.length === 1
            ? lines[0]?.slice(name.length + 1)
            : lines
                .slice(1)
                .map((line) => line.slice(`${name}_part_000=`.length))
                .join('');
        expect(joined).toBe(value);
      }),
    );
  });

  test.each(['Task', 'task-id', '_x', 'x__y', ''])('of the key "%s" is refused', (name) => {
    expect(() => evidenceLines(name, '')).toThrow(RangeError);
  });

  test('of more than 999 parts is refused', () => {
    expect(() => evidenceLines('k', 'v'.repeat(61 * 999 + 1))).toThrow('more than 999');
  });
});

/** The 42 keys that readers of the block know, in their order. */
const knownKeys =
  `source_commit_at_run source_tree context namespace kubeconfig_sha256 kubernetes_server docker_host app_image_tag
  app_image_id legacy_worker_image_tag legacy_worker_image_id legacy_worker_built kuberay_uses_generic_ray setup runtime_env_bytes
  runtime_env_sha256 ray_restart ray_cluster_uid ray_heads ray_workers ray_pods_sha256 generic_django_ray api_unauthenticated
  api_authenticated task_id task_state task_result probe_path probe_host web_restarts prometheus_removed_worker_pool
  preserved_postgresql preserved_pvcs preserved_unrelated_namespaces preserved_unrelated_docker_data deployment_django_web_ready
  deployment_django_ray_worker_ready deployment_django_ray_worker_sync_ready deployment_django_ray_worker_ml_ready
  prometheus_django_ray prometheus_ray_head prometheus_ray_workers`.split(/\s+/);

describe('the evidence block', () => {
  test('has its header, then the 42 keys in their order, each not-observed where nothing was observed', () => {
    const lines = evidenceBlock({});
    expect(lines[0]).toBe(evidenceHeader);
    expect(knownKeys).toHaveLength(42);
    expect(lines.slice(1)).toEqual(knownKeys.map((one) => `${one}=${notObserved}`));
  });

  test('says of a whole run what its observations say', () => {
    const values = evidenceValues(sourcesOf(evidenceDocument()));
    const { plan, observations, identity } = evidenceDocument();
    const { app, legacy } = observations.images.facts;
    expect(Object.fromEntries([...values].filter(([, value]) => value !== notObserved))).toEqual({
      source_commit_at_run: plan.source.commit,
      source_tree: plan.source.tree,
      context: 'docker-desktop',
      namespace: 'django-ray',
      kubeconfig_sha256: plan.kubeconfig.sha256,
      kubernetes_server: 'https://127.0.0.1:6443',
      docker_host: 'unix:///run/raygate/docker.sock',
      app_image_tag: app.reference,
      app_image_id: app.id,
      legacy_worker_image_tag: legacy.reference,
      legacy_worker_image_id: legacy.id,
      legacy_worker_built: 'reused',
      kuberay_uses_generic_ray: 'true',
      setup: 'passed',
      runtime_env_bytes: '4293956',
      runtime_env_sha256: 'e'.repeat(64),
      ray_restart: 'performed',
      ray_cluster_uid: identity.ray.clusterUid,
      ray_heads: '1',
      ray_workers: '4',
      ray_pods_sha256: observations.ray.facts.podsSha256,
      generic_django_ray: 'absent',
      api_unauthenticated: '401',
      api_authenticated: '200',
      task_id: observations['api-smoke'].facts.tasks[0]?.id,
      task_state: 'SUCCEEDED',
      task_result: '5',
      probe_path: '/api/health',
      probe_host: 'django-ray.localhost',
      web_restarts: '0',
      prometheus_removed_worker_pool: 'absent',
      deployment_django_web_ready: '1',
      deployment_django_ray_worker_ready: '2',
      deployment_django_ray_worker_sync_ready: '1',
      deployment_django_ray_worker_ml_ready: '1',
      prometheus_django_ray: '1',
      prometheus_ray_head: '1',
      prometheus_ray_workers: '4',
    });
  });

  test('says false when a Ray pod runs an image of this source', () => {
    const { observations } = evidenceDocument();
    const { config } = observations.images.facts.app;
    const [head, ...others] = observations.ray.facts.pods;
    const container = { name: 'ray-head', reference: 'x', image: 'x', imageDigest: config };
    const pods = [{ ...(head as NonNullable<typeof head>), containers: [container] }, ...others];
    const sources = { images: observations.images.facts, ray: { ...observations.ray.facts, pods } };
    expect(evidenceValues(sources).get('kuberay_uses_generic_ray')).toBe('false');
  });

  test('gives a row what it says that it rests on, and nothing else', () => {
    const sources = sourcesOf(evidenceDocument());
    for (const row of evidenceRows) {
      const named = Object.fromEntries(row.restsOn.map((name) => [name, sources[name]]));
      expect([row.key, row.text(named)]).toEqual([row.key, row.text(sources)]);
      for (const name of row.restsOn)
        expect([row.key, row.text({ ...sources, [name]: undefined })]).toEqual([row.key, undefined]);
    }
  });
});
