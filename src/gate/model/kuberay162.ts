import { asList, asRecord, asText, at, type Json } from './json.js';
import type { KubeRayContract, RayNode } from './kuberayContract.js';
import type { PodTemplate } from './podTemplate.js';
import { wholeQuantity } from './quantity.js';

/**
 * What KubeRay 1.6.2 adds to the pods of a RayCluster that neither scales itself nor authenticates nor is fault tolerant, for Ray from
 * 2.53 on whose templates mount nothing at /dev/shm. Source: ray-operator/controllers/ray/common/pod.go and raycluster_controller.go at v1.6.2; tests/gate/golden holds
 * pods that this source made.
 */
const troubleshooting = 'https://docs.ray.io/en/master/cluster/kubernetes/troubleshooting.html';
const shell = ['/bin/bash', '-c', '--'];
const agentPort = 52_365;

const scriptLines = (headAddress: string): readonly string[] => [
  'SECONDS=0',
  'while true; do',
  'if (( SECONDS <= 120 )); then',
  `if ray health-check --address ${headAddress} > /dev/null 2>&1; then`,
  'echo "GCS is ready."',
  'break',
  'fi',
  'echo "$SECONDS seconds elapsed: Waiting for GCS to be ready."',
  'else',
  `if ray health-check --address ${headAddress}; then`,
  'echo "GCS is ready. Any error messages above can be safely ignored."',
  'break',
  'fi',
  `echo "$SECONDS seconds elapsed: Still waiting for GCS to be ready. For troubleshooting, refer to the FAQ at ${troubleshooting}."`,
  'fi',
  'sleep 5',
  'done',
];

/** The script's place among tabs, as the operator's source has it. */
const scriptIndents = [5, 5, 6, 7, 8, 8, 7, 7, 6, 7, 8, 8, 7, 7, 6, 6, 5];

export const kubeRay162: KubeRayContract = {
  version: '1.6.2',
  oldestRay: '2.53',
  initContainer: { name: 'wait-gcs-ready', command: shell, scriptLines },
  podOf,
  additions: {
    labels: /^ray\.io\/worker-group-replica-index$/,
    annotations: /^ray\.io\/upgrade-strategy-recreate-hash$/,
  },
};

function podOf(node: RayNode): PodTemplate {
  const { template, type } = node;
  const [ray = {}, ...sidecars] = asList(template.spec['containers']).map(asRecord);
  const initContainers = [
    ...asList(template.spec['initContainers']).map(asRecord),
    ...(type === 'worker' ? [waitForHead(node, ray)] : []),
  ].map((one) => ({ ...one, env: [...asList(one['env']), ...headNames(node)] }));
  const volumes = [...asList(template.spec['volumes']), sharedMemory(ray)];
  return {
    labels: labelsOf(node),
    annotations: annotationsOf(node),
    spec: {
      ...template.spec,
      ...(initContainers.length > 0 ? { initContainers } : {}),
      containers: [rayContainer(node, ray), ...sidecars],
      volumes,
    },
  };
}

function rayContainer(node: RayNode, ray: Json): Json {
  const start = startCommand(node, ray);
  const own = [...asList(ray['command']), ...asList(ray['args'])].map((word) => ` ${asText(word)} `).join('');
  const generated = `ulimit -n 65536; ${start}`;
  return {
    livenessProbe: probe(node, 30, 120),
    readinessProbe: probe(node, 10, 10),
    ...ray,
    command: shell,
    args: [own === '' ? generated : `${own} && ${generated}`],
    env: environment(node, ray, start),
    ports: portsOf(ray),
    volumeMounts: [...asList(ray['volumeMounts']), { mountPath: '/dev/shm', name: 'shared-mem' }],
  };
}

function environment(node: RayNode, ray: Json, start: string): readonly Json[] {
  const given = asList(ray['env']).map(asRecord);
  const added: Json[] = node.type === 'worker' ? [...headNames(node)] : [];
  const ofPod = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  added.push(
    ofPod('RAY_CLUSTER_NAME', "metadata.labels['ray.io/cluster']"),
    ofPod('RAY_CLUSTER_NAMESPACE', 'metadata.namespace'),
    ofPod('RAY_CLOUD_INSTANCE_ID', 'metadata.name'),
    ofPod('RAY_NODE_TYPE_NAME', "metadata.labels['ray.io/group']"),
    { name: 'KUBERAY_GEN_RAY_START_CMD', value: start },
  );
  const unlessGiven = (name: string, value: string) => {
    if (!given.some((one) => one['name'] === name)) added.push({ name, value });
  };
  unlessGiven('RAY_PORT', node.headPort);
  unlessGiven('RAY_ADDRESS', `${node.type === 'head' ? '127.0.0.1' : headHost(node)}:${node.headPort}`);
  unlessGiven('RAY_USAGE_STATS_KUBERAY_IN_USE', '1');
  if (node.type === 'head')
    added.push({ name: 'RAY_USAGE_STATS_EXTRA_TAGS', value: 'kuberay_version=v1.6.2;kuberay_crd=RayCluster' });
  unlessGiven('RAY_DASHBOARD_ENABLE_K8S_DISK_USAGE', '1');
  return [...given, ...added];
}

function sharedMemory(ray: Json): Json {
  const limit = at(ray, 'resources', 'limits', 'memory') ?? at(ray, 'resources', 'requests', 'memory');
  return { name: 'shared-mem', emptyDir: { medium: 'Memory', ...(limit === undefined ? {} : { sizeLimit: limit }) } };
}

/** `ray start` with the parameters in order, two blanks between them. */
function startCommand(node: RayNode, ray: Json): string {
  const parameters: Record<string, string> = { ...startDefaults(node), ...node.startParameters, block: 'true' };
  const cpu = at(ray, 'resources', 'limits', 'cpu') ?? at(ray, 'resources', 'requests', 'cpu');
  const memory = at(ray, 'resources', 'limits', 'memory');
  const amounts = { 'num-cpus': wholeQuantity(cpu), memory: wholeQuantity(memory) };
  for (const [name, amount] of Object.entries(amounts)) if (amount !== undefined) parameters[name] ??= amount;
  const flags = Object.keys(parameters)
    .sort()
    .map((name) => flag(name, parameters[name] ?? ''));
  return `ray start ${node.type === 'head' ? '--head ' : ''}${flags.join('')}`;
}

function startDefaults(node: RayNode): Readonly<Record<string, string>> {
  const both = { 'metrics-export-port': '8080', 'dashboard-agent-listen-port': String(agentPort) };
  return node.type === 'head'
    ? { ...both, 'dashboard-host': '0.0.0.0' }
    : { ...both, address: `${headHost(node)}:${node.headPort}` };
}

function flag(name: string, value: string): string {
  const isSwitch =
    ['true', 'false'].includes(value.toLowerCase()) && !['log-color', 'include-dashboard'].includes(name);
  if (!isSwitch) return ` --${name}=${value} `;
  return value.toLowerCase() === 'true' ? ` --${name} ` : '';
}

/** The same question for both probes; the head answers for two parts of itself and gets more time. */
function probe({ type, startParameters }: RayNode, initialDelaySeconds: number, failureThreshold: number): Json {
  const port = Number(startParameters['dashboard-agent-listen-port'] ?? agentPort);
  return {
    httpGet: { path: '/api/healthz', port },
    initialDelaySeconds,
    timeoutSeconds: type === 'head' ? 5 : 2,
    periodSeconds: 5,
    successThreshold: 1,
    failureThreshold,
  };
}

function portsOf(ray: Json): readonly unknown[] {
  const ports = asList(ray['ports']);
  const hasMetrics = ports.some((port) => asRecord(port)['name'] === 'metrics');
  return hasMetrics ? ports : [...ports, { name: 'metrics', containerPort: 8080 }];
}

function waitForHead(node: RayNode, ray: Json): Json {
  const lines = scriptLines(`${headHost(node)}:${node.headPort}`);
  const script = lines.map((line, i) => `${'\t'.repeat(scriptIndents[i] ?? 0)}${line}\n`).join('');
  const amounts = { cpu: '200m', memory: '256Mi' };
  const copied = ['image', 'imagePullPolicy', 'securityContext', 'env', 'volumeMounts'].filter(
    (key) => ray[key] !== undefined,
  );
  return {
    name: 'wait-gcs-ready',
    ...Object.fromEntries(copied.map((key) => [key, ray[key]])),
    command: shell,
    args: [`\n${script}\t\t\t\t`],
    resources: { limits: amounts, requests: amounts },
  };
}

function headNames(node: RayNode): readonly Json[] {
  return [
    { name: 'FQ_RAY_IP', value: headHost(node) },
    { name: 'RAY_IP', value: headHost(node).split('.')[0] },
  ];
}

function headHost({ clusterName, namespace }: RayNode): string {
  return `${clusterName}-head-svc.${namespace}.svc.cluster.local`;
}

function labelsOf({ type, group, clusterName, template }: RayNode): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'kuberay',
    'app.kubernetes.io/created-by': 'kuberay-operator',
    'ray.io/is-ray-node': 'yes',
    'ray.io/identifier': `${clusterName}-${type}`,
    ...template.labels,
    'ray.io/cluster': clusterName,
    'ray.io/node-type': type,
    'ray.io/group': type === 'head' ? 'headgroup' : group,
  };
}

function annotationsOf({ type, template }: RayNode): Readonly<Record<string, string>> {
  const ofHead = { 'ray.io/ft-enabled': 'false', 'ray.io/kuberay-version': 'v1.6.2' };
  return type === 'head' ? { ...template.annotations, ...ofHead } : template.annotations;
}
