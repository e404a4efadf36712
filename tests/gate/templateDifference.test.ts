import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlanContracts } from '../../src/gate/model/planContracts.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';
import {
  deploymentAdditions,
  jobPodAdditions,
  noAdditions,
  podDifference,
  replicaSetAdditions,
  templateDifference,
} from '../../src/gate/rules/templateDifference.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';
import { servedPod, servedTemplate } from '../builders/served.js';

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
const { deployments, supporting, setup } = reading.contracts;
const planned = Object.fromEntries([...deployments, ...supporting].map((one) => [one.name, one.template]));
const web = planned['django-web'] as PodTemplate;
const prometheus = planned['prometheus'] as PodTemplate;

describe('what the API server makes of the real overlay is the plan', () => {
  test.each(Object.entries(planned))('the template and the pods of %s', (_, template) => {
    const hashed = { ...template, labels: { ...template.labels, 'pod-template-hash': '5d4' } };
    const marked = { ...hashed, annotations: { ...template.annotations, 'raygate/restart': 'run-1' } };
    expect(templateDifference(servedTemplate(template), template, deploymentAdditions)).toBeUndefined();
    expect(templateDifference(servedTemplate(marked), template, replicaSetAdditions)).toBeUndefined();
    expect(podDifference(servedPod(marked), servedTemplate(marked), noAdditions)).toBeUndefined();
  });

  test('the pod of the setup Job', () => {
    const uid = '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11';
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'django-setup',
      'controller-uid': uid,
      'job-name': 'django-setup',
    };
    expect(podDifference(servedPod(setup.template, labels), setup.template, jobPodAdditions)).toBeUndefined();
  });

  test('a pod whose node says where it is, under a CNI that takes notes', () => {
    const pod = servedPod(web, { 'topology.kubernetes.io/zone': 'a' });
    const annotations = { ...pod.annotations, 'cni.projectcalico.org/podIP': '10.0.0.1/32' };
    expect(podDifference({ ...pod, annotations }, web, noAdditions)).toBeUndefined();
  });
});

type Fields = Record<string, unknown>;
/** A served pod of `template` with one thing changed. */
function changed(template: PodTemplate, change: (spec: Fields, container: Fields) => void): PodTemplate {
  const pod = structuredClone(servedPod(template)) as PodTemplate & { spec: Fields };
  change(pod.spec, (pod.spec['containers'] as Fields[])[0] as Fields);
  return pod;
}
const items = (of: Fields, key: string) => of[key] as Fields[];

describe('anything else is a difference, with its path and both values', () => {
  const rows: readonly [string, PodTemplate, string][] = [
    [
      'a sidecar',
      changed(web, (spec) => items(spec, 'containers').push({ name: 'evil', image: 'evil:1' })),
      'spec.containers[evil]: {"name":"evil","image":"evil:1"} instead of nothing',
    ],
    [
      'an ephemeral container',
      changed(web, (spec) => {
        spec['ephemeralContainers'] = [{ name: 'debugger', image: 'busybox' }];
      }),
      'spec.ephemeralContainers: [{"name":"debugger","image":"busybox"}] instead of nothing',
    ],
    [
      'a changed script of an init container',
      changed(web, (spec) => {
        (items(spec, 'initContainers')[0] as Fields)['command'] = ['sh', '-c', 'true'];
      }),
      'spec.initContainers[wait-for-postgres].command[2]: "true" instead of "until nc -w 2 postgres-svc 5432',
    ],
    [
      'an init container less',
      changed(web, (spec) => {
        items(spec, 'initContainers').pop();
      }),
      'spec.initContainers[collect-static]: nothing instead of an object of ',
    ],
    [
      'init containers in another order',
      changed(web, (spec) => {
        items(spec, 'initContainers').reverse();
      }),
      'spec.initContainers: ["collect-static","run-migrations","wait-for-postgres"] instead of ["wait-for-postgres",',
    ],
    [
      'another value in the environment',
      changed(web, (_, container) => {
        (items(container, 'env')[0] as Fields)['value'] = '9';
      }),
      'spec.containers[django-web].env[GUNICORN_WORKERS].value: "9" instead of "2"',
    ],
    [
      'one more variable',
      changed(web, (_, container) => items(container, 'env').push({ name: 'PYTHONPATH', value: '/tmp' })),
      'spec.containers[django-web].env[PYTHONPATH]: {"name":"PYTHONPATH","value":"/tmp"} instead of nothing',
    ],
    [
      'a literal where the plan takes a key of the Secret',
      changed(web, (_, container) => {
        const env = items(container, 'env');
        env[3] = { name: 'DJANGO_SECRET_KEY', value: 'x' };
      }),
      'spec.containers[django-web].env[DJANGO_SECRET_KEY].value: "x" instead of nothing',
    ],
    [
      'a volume',
      changed(web, (spec) => items(spec, 'volumes').push({ name: 'root', hostPath: { path: '/', type: '' } })),
      'spec.volumes[root]: {"name":"root","hostPath":{"path":"/"}} instead of nothing',
    ],
    [
      'a mount at another place',
      changed(web, (_, container) => {
        (items(container, 'volumeMounts')[0] as Fields)['mountPath'] = '/app';
      }),
      'spec.containers[django-web].volumeMounts[/app]: {"mountPath":"/app","name":"tmp"} instead of nothing',
    ],
    [
      'more memory',
      changed(web, (_, container) => {
        container['resources'] = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '500m', memory: '1Gi' } };
      }),
      'spec.containers[django-web].resources.limits.memory: "1073741824" instead of "536870912"',
    ],
    [
      'a request that is the limit',
      changed(web, (_, container) => {
        container['resources'] = {
          requests: { cpu: '500m', memory: '256Mi' },
          limits: { cpu: '500m', memory: '512Mi' },
        };
      }),
      'spec.containers[django-web].resources.requests.cpu: nothing instead of "100m"',
    ],
    [
      'privilege',
      changed(web, (_, container) => {
        container['securityContext'] = { privileged: true };
      }),
      'spec.containers[django-web].securityContext.allowPrivilegeEscalation: nothing instead of false',
    ],
    [
      'a pod that runs as root',
      changed(web, (spec) => {
        (spec['securityContext'] as Fields)['runAsUser'] = 0;
      }),
      'spec.securityContext.runAsUser: 0 instead of 1000',
    ],
    [
      'the host network',
      changed(web, (spec) => {
        spec['hostNetwork'] = true;
      }),
      'spec.hostNetwork: true instead of nothing',
    ],
    [
      'another account',
      changed(web, (spec) => {
        spec['serviceAccountName'] = 'prometheus';
        spec['serviceAccount'] = 'prometheus';
      }),
      'spec.serviceAccountName: "prometheus" instead of nothing',
    ],
    [
      'an account under its old name only',
      changed(web, (spec) => {
        spec['serviceAccount'] = 'prometheus';
      }),
      'spec.serviceAccount: "prometheus" instead of nothing',
    ],
    [
      'another probe',
      changed(web, (_, container) => {
        (container['livenessProbe'] as Fields)['httpGet'] = { path: '/', port: 8000, scheme: 'HTTP' };
      }),
      'spec.containers[django-web].livenessProbe.httpGet.httpHeaders: nothing instead of [{"name":"Host"',
    ],
    [
      'a toleration',
      changed(web, (spec) => items(spec, 'tolerations').push({ operator: 'Exists' })),
      'spec.tolerations: [{"operator":"Exists"}] instead of nothing',
    ],
    [
      'a priority',
      changed(web, (spec) => {
        spec['priority'] = 1000;
      }),
      'spec.priority: 1000 instead of nothing',
    ],
    [
      'a token where the plan wants none',
      changed(web, (spec) => {
        spec['volumes'] = [...items(spec, 'volumes'), items(servedPod(prometheus).spec as Fields, 'volumes').at(-1)];
      }),
      'spec.volumes[kube-api-access-x7x2k]: an object of ',
    ],
    [
      'a token volume that holds more',
      changed(prometheus, (spec) => {
        const volume = items(spec, 'volumes').at(-1) as { projected: { sources: object[] } };
        volume.projected.sources.push({ secret: { name: 'django-ray-secret' } });
      }),
      'spec.containers[prometheus].volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount]: {',
    ],
    [
      'another label',
      { ...servedPod(web), labels: { ...web.labels, component: 'worker' } },
      'metadata.labels[component]: "worker" instead of "web"',
    ],
    [
      'one label more',
      servedPod(web, { 'sidecar.istio.io/inject': 'true' }),
      'metadata.labels[sidecar.istio.io/inject]: "true" instead of nothing',
    ],
    ['a label less', { ...servedPod(web), labels: {} }, 'metadata.labels[app]: nothing instead of "django-ray"'],
    [
      'an annotation that nobody named',
      { ...servedPod(web), annotations: { ...web.annotations, 'kubectl.kubernetes.io/restartedAt': 'now' } },
      'metadata.annotations[kubectl.kubernetes.io/restartedAt]: "now" instead of nothing',
    ],
    [
      'another configuration',
      { ...servedPod(web), annotations: { 'raygate/config-sha256': 'x' } },
      'metadata.annotations[raygate/config-sha256]: "x" instead of "',
    ],
  ];
  test.each(rows)('%s', (_, pod, says) => {
    expect(podDifference(pod, plannedOf(pod), noAdditions)).toMatch(startsWith(says));
  });

  test("a Job's labels are no addition to another pod", () => {
    expect(podDifference(servedPod(web, { 'job-name': 'x' }), web, noAdditions)).toMatch(
      /^metadata\.labels\[job-name]/,
    );
  });

  test.each([
    ['label', { ...web, labels: { ...web.labels, extra: 'x' } }, 'metadata.labels[extra]: "x" instead of nothing'],
    [
      'annotation',
      { ...web, annotations: { ...web.annotations, extra: 'x' } },
      'metadata.annotations[extra]: "x" instead of nothing',
    ],
  ])('a template with another %s', (_, template, says) => {
    expect(templateDifference(servedTemplate(template), web, deploymentAdditions)).toBe(says);
  });

  test('what admission puts into a pod has no place in a template', () => {
    const { spec } = servedPod(web);
    expect(templateDifference({ ...web, spec }, web, deploymentAdditions)).toMatch(/^spec\.nodeName: "node-1"/);
  });

  test('a value is shown whole or not at all', () => {
    const secret = 'S3CRET'.repeat(60);
    const pod = changed(web, (_, container) => {
      (items(container, 'env')[0] as Fields)['value'] = secret;
    });
    expect(podDifference(pod, web, noAdditions)).toBe(
      'spec.containers[django-web].env[GUNICORN_WORKERS].value: a text of 362 characters instead of "2"',
    );
  });

  test('any one leaf of a served pod that changes is seen', () => {
    const whole = servedPod(prometheus).spec;
    const leaves = leavesOf(whole).filter((path) => !path.includes('nodeName'));
    fc.assert(
      fc.property(fc.constantFrom(...leaves), (path) => {
        const spec = structuredClone(whole) as Fields;
        put(spec, path, 'changed');
        expect(podDifference({ ...servedPod(prometheus), spec }, prometheus, noAdditions)).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });
});

function plannedOf(pod: PodTemplate): PodTemplate {
  return items(pod.spec as Fields, 'containers')[0]?.['name'] === 'prometheus' ? prometheus : web;
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function put(value: Fields, path: readonly string[], leaf: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) value[key] = leaf;
  else put(value[key] as Fields, rest, leaf);
}
