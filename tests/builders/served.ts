import type { PodTemplate } from '../../src/gate/model/podTemplate.js';

type Fields = Record<string, unknown>;
const list = (value: unknown) => (value ?? []) as Fields[];

/** A template as an API server 1.35 gives it back: its defaults filled in, written out here once more and not shared with the rules. */
export function servedTemplate(template: PodTemplate): PodTemplate {
  const spec = structuredClone(template.spec) as Fields;
  Object.assign(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    ...spec,
  });
  if (spec['serviceAccountName'] !== undefined) spec['serviceAccount'] = spec['serviceAccountName'];
  for (const container of [...list(spec['initContainers']), ...list(spec['containers'])]) serveContainer(container);
  for (const volume of list(spec['volumes'])) {
    for (const kind of ['configMap', 'secret', 'projected']) {
      if (volume[kind] !== undefined) volume[kind] = { defaultMode: 420, ...(volume[kind] as Fields) };
    }
  }
  return { ...template, spec };
}

/** A pod of a template as it is read back from a node: defaults, and what admission and the scheduler added. */
export function servedPod(template: PodTemplate, labels: Readonly<Record<string, string>> = {}): PodTemplate {
  const { spec, annotations } = servedTemplate(template);
  const fields = spec as Fields;
  const toleration = (key: string) => ({ effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 });
  const account = fields['serviceAccountName'] ?? 'default';
  Object.assign(fields, {
    enableServiceLinks: true,
    ...fields,
    nodeName: 'node-1',
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    serviceAccount: account,
    serviceAccountName: account,
    tolerations: [
      ...list(fields['tolerations']),
      toleration('node.kubernetes.io/not-ready'),
      toleration('node.kubernetes.io/unreachable'),
    ],
  });
  if (fields['automountServiceAccountToken'] !== false) mountToken(fields);
  return { labels: { ...template.labels, ...labels }, annotations, spec: fields };
}

function serveContainer(container: Fields): void {
  Object.assign(container, {
    imagePullPolicy: 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...container,
  });
  for (const key of ['command', 'args', 'env', 'volumeMounts']) {
    if (list(container[key]).length === 0) delete container[key];
  }
  for (const port of list(container['ports'])) Object.assign(port, { protocol: 'TCP', ...port });
  for (const one of list(container['env'])) {
    const field = (one['valueFrom'] as Fields | undefined)?.['fieldRef'] as Fields | undefined;
    if (field !== undefined) field['apiVersion'] = 'v1';
  }
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[kind] as Fields | undefined;
    if (probe === undefined) continue;
    const defaults = { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 };
    Object.assign(probe, { ...defaults, ...probe });
    const request = probe['httpGet'] as Fields | undefined;
    if (request !== undefined) Object.assign(request, { scheme: 'HTTP', ...request });
  }
}

function mountToken(spec: Fields): void {
  const name = 'kube-api-access-x7x2k';
  for (const container of [...list(spec['initContainers']), ...list(spec['containers'])]) {
    container['volumeMounts'] = [
      ...list(container['volumeMounts']),
      { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name, readOnly: true },
    ];
  }
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  spec['volumes'] = [
    ...list(spec['volumes']),
    {
      name,
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
          { downwardAPI: { items: [{ fieldRef, path: 'namespace' }] } },
        ],
      },
    },
  ];
}
