import { describe, expect, test } from 'vitest';
import { kubeRay162 } from '../../src/gate/model/kuberay162.js';
import type { RayNode } from '../../src/gate/model/kuberayContract.js';
import { readPlanContracts } from '../../src/gate/model/planContracts.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';
import { plannedRayPods } from '../../src/gate/model/rayPods.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';

const tag = 'local-gate-tree-000000000000-00000000';
const reading = readPlanContracts(
  synthOverlay({
    profile: 'full',
    releaseTag: tag,
    sourceTree: '0'.repeat(40),
    archiveUri: 'file:///runtime-env/a.zip',
    runtimeEnvAccess: 'RWX',
  }),
  `django-ray:${tag}`,
);
if (!reading.ok) throw new Error(reading.problems.join('; '));
const { topology, rayTemplates: templates } = reading.contracts;
const pods = plannedRayPods({ topology, templates, restart: 'required', operatorVersion: '1.6.2' }, kubeRay162);
const head = pods['head'] as PodTemplate;
const worker = pods['worker:worker-group'] as PodTemplate;

type Fields = Record<string, unknown>;
const containers = (pod: PodTemplate, key = 'containers') => pod.spec[key] as Fields[];
const environment = (container: Fields | undefined) =>
  (
    (container?.['env'] ?? []) as { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[]
  ).map((one) => `${one.name}=${one.value ?? one.valueFrom?.fieldRef.fieldPath}`);

const headHost = 'ray-head-svc.django-ray.svc.cluster.local';
const headStart =
  'ray start --head  --block  --dashboard-agent-listen-port=52365  --dashboard-host=0.0.0.0  --dashboard-port=8265  --disable-usage-stats  --memory=2147483648  --metrics-export-port=8080  --num-cpus=2 ';
const workerStart = `ray start  --address=${headHost}:6379  --block  --dashboard-agent-listen-port=52365  --memory=3221225472  --metrics-export-port=8080  --num-cpus=2 `;

describe('what KubeRay 1.6.2 makes of the real RayCluster', () => {
  test('the head starts with what was planned, and with what the operator adds in order', () => {
    const [ray, importer] = containers(head);
    expect(ray).toMatchObject({ command: ['/bin/bash', '-c', '--'], args: [`ulimit -n 65536; ${headStart}`] });
    expect(environment(ray).slice(6)).toEqual([
      "RAY_CLUSTER_NAME=metadata.labels['ray.io/cluster']",
      'RAY_CLUSTER_NAMESPACE=metadata.namespace',
      'RAY_CLOUD_INSTANCE_ID=metadata.name',
      "RAY_NODE_TYPE_NAME=metadata.labels['ray.io/group']",
      `KUBERAY_GEN_RAY_START_CMD=${headStart}`,
      'RAY_PORT=6379',
      'RAY_ADDRESS=127.0.0.1:6379',
      'RAY_USAGE_STATS_KUBERAY_IN_USE=1',
      'RAY_USAGE_STATS_EXTRA_TAGS=kuberay_version=v1.6.2;kuberay_crd=RayCluster',
      'RAY_DASHBOARD_ENABLE_K8S_DISK_USAGE=1',
    ]);
    expect(ray).toMatchObject({
      livenessProbe: {
        httpGet: { path: '/api/healthz', port: 52365 },
        initialDelaySeconds: 30,
        timeoutSeconds: 5,
        failureThreshold: 120,
      },
      readinessProbe: { initialDelaySeconds: 10, timeoutSeconds: 5, periodSeconds: 5, failureThreshold: 10 },
    });
    // The sidecar is left alone.
    expect(importer).toEqual(((templates['head'] as PodTemplate).spec['containers'] as Fields[])[1]);
    expect(head.spec['initContainers']).toBeUndefined();
    expect(head.annotations).toMatchObject({
      'prometheus.io/port': '8080',
      'ray.io/ft-enabled': 'false',
      'ray.io/kuberay-version': 'v1.6.2',
    });
  });

  test('a worker waits for the head with its own image, environment and mounts', () => {
    const [ray] = containers(worker);
    const [wait, ...more] = containers(worker, 'initContainers');
    expect(more).toEqual([]);
    expect(ray).toMatchObject({ args: [`ulimit -n 65536; ${workerStart}`] });
    expect(environment(ray).slice(2, 4)).toEqual([`FQ_RAY_IP=${headHost}`, 'RAY_IP=ray-head-svc']);
    expect(environment(ray)).toContain(`RAY_ADDRESS=${headHost}:6379`);
    expect(environment(ray).join()).not.toContain('EXTRA_TAGS');
    expect(wait).toMatchObject({
      name: 'wait-gcs-ready',
      image: ray?.['image'],
      imagePullPolicy: 'IfNotPresent',
      securityContext: ray?.['securityContext'],
      resources: { limits: { cpu: '200m', memory: '256Mi' }, requests: { cpu: '200m', memory: '256Mi' } },
      volumeMounts: [{ mountPath: '/runtime-env', name: 'runtime-env', readOnly: true }],
    });
    expect(environment(wait)).toEqual([
      'RAY_PROMETHEUS_HOST=0.0.0.0',
      'RAY_METRICS_EXPORT_PORT=8080',
      `FQ_RAY_IP=${headHost}`,
      'RAY_IP=ray-head-svc',
    ]);
    const [script = ''] = (wait?.['args'] ?? []) as string[];
    expect(script).toMatch(/^\n\t{5}SECONDS=0\n\t{5}while true; do\n\t{6}if /);
    expect(script).toMatch(/\n\t{6}sleep 5\n\t{5}done\n\t{4}$/);
    expect(worker.annotations).toEqual((templates['worker:worker-group'] as PodTemplate).annotations);
    expect(ray).toMatchObject({ livenessProbe: { timeoutSeconds: 2 }, readinessProbe: { timeoutSeconds: 2 } });
  });

  test('both share memory as large as their limit, and carry its labels', () => {
    for (const [pod, memory] of [
      [head, '2Gi'],
      [worker, '3Gi'],
    ] as const) {
      expect((pod.spec['volumes'] as Fields[]).at(-1)).toEqual({
        name: 'shared-mem',
        emptyDir: { medium: 'Memory', sizeLimit: memory },
      });
      expect(((containers(pod)[0]?.['volumeMounts'] ?? []) as Fields[]).at(-1)).toEqual({
        mountPath: '/dev/shm',
        name: 'shared-mem',
      });
    }
    expect([head.labels, worker.labels]).toEqual([
      {
        app: 'ray',
        component: 'head',
        'app.kubernetes.io/name': 'kuberay',
        'app.kubernetes.io/created-by': 'kuberay-operator',
        'ray.io/is-ray-node': 'yes',
        'ray.io/identifier': 'ray-head',
        'ray.io/cluster': 'ray',
        'ray.io/node-type': 'head',
        'ray.io/group': 'headgroup',
      },
      expect.objectContaining({
        component: 'worker',
        'ray.io/identifier': 'ray-worker',
        'ray.io/node-type': 'worker',
        'ray.io/group': 'worker-group',
      }),
    ]);
  });
});

describe('what a template says itself', () => {
  const node = (container: Fields, fields: Partial<RayNode> = {}): RayNode => ({
    type: 'head',
    group: '',
    clusterName: 'ray',
    namespace: 'n',
    startParameters: {},
    headPort: '6379',
    template: { labels: {}, annotations: {}, spec: { containers: [{ name: 'ray-head', ...container }] } },
    ...fields,
  });
  const made = (container: Fields, fields: Partial<RayNode> = {}) =>
    containers(kubeRay162.podOf(node(container, fields)))[0] as Fields;
  const args = (container: Fields, fields: Partial<RayNode> = {}) => (made(container, fields)['args'] as string[])[0];

  test('its own command comes before the start', () => {
    expect(args({ command: ['echo'], args: ['a', 'b'] })).toMatch(
      /^ echo {2}a {2}b {2}&& ulimit -n 65536; ray start --head /,
    );
  });

  test('its own probes stay', () => {
    expect(made({ livenessProbe: { exec: {} } })).toMatchObject({
      livenessProbe: { exec: {} },
      readinessProbe: { httpGet: {} },
    });
  });

  test('a metrics port is added where it has none', () => {
    expect(made({ ports: [{ name: 'x', containerPort: 1 }] })['ports']).toEqual([
      { name: 'x', containerPort: 1 },
      { name: 'metrics', containerPort: 8080 },
    ]);
  });

  test('variables of its own are not set again', () => {
    const env = environment(made({ env: [{ name: 'RAY_ADDRESS', value: 'auto' }] }));
    expect(env.filter((one) => one.startsWith('RAY_ADDRESS='))).toEqual(['RAY_ADDRESS=auto']);
  });

  test('processors and memory follow its resources where its parameters are silent', () => {
    const resources = { limits: { memory: '1Gi' }, requests: { cpu: '1500m' } };
    expect(args({ resources })).toContain(' --memory=1073741824  --metrics-export-port=8080  --num-cpus=2 ');
    expect(args({ resources }, { startParameters: { memory: '5', 'num-cpus': '7' } })).toContain(
      ' --memory=5  --metrics-export-port=8080  --num-cpus=7 ',
    );
    expect(args({})).not.toContain('num-cpus');
  });

  test('a switch is a flag, and one that is off is none', () => {
    const startParameters = { 'no-monitor': 'False', 'include-dashboard': 'true', block: 'false', 'head-x': 'TRUE' };
    const start = args({}, { startParameters });
    expect(start).toContain(' --block ');
    expect(start).toContain(' --head-x  --include-dashboard=true ');
    expect(start).not.toContain('no-monitor');
  });

  test('the port of the agent is the one that the probes ask', () => {
    expect(made({}, { startParameters: { 'dashboard-agent-listen-port': '7' } })).toMatchObject({
      readinessProbe: { httpGet: { port: 7 } },
    });
  });

  test('without memory the shared memory has no limit', () => {
    expect(kubeRay162.podOf(node({})).spec['volumes']).toEqual([
      { name: 'shared-mem', emptyDir: { medium: 'Memory' } },
    ]);
  });
});
