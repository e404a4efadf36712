import { describe, expect, it } from 'vitest';
import { checkInventory } from '../../src/infra/inventory/check.js';
import type { Manifest, Phase, PlannedObject } from '../../src/infra/plannedObject.js';
import { configMap, deployment, namespace, planned, releaseTag } from '../builders/plan.js';

const check = (objects: readonly PlannedObject[], declared: readonly PlannedObject[] = objects) =>
  checkInventory(objects, { declared, namespace: 'django-ray', releaseTag, repository: 'django-ray' });

const role = (rest: Manifest = {}): Manifest => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader', namespace: 'django-ray' },
  ...rest,
});

const account: Manifest = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'prometheus', namespace: 'django-ray' },
};

const binding = (rest: Manifest): Manifest => ({
  ...role(),
  kind: 'RoleBinding',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
  subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'django-ray' }],
  ...rest,
});

const image = (text: string) => deployment('web', { image: text });
const pod = (fields: object) => deployment('web', { pod: fields });
const container = (fields: object) => deployment('web', { container: fields });
const web = 'apps/v1/Deployment/django-ray/web (test/web)';
const at = 'spec.template.spec';

describe('checkInventory', () => {
  it('finds nothing wrong with a sound plan', () => {
    const objects = [
      planned(namespace()),
      planned(configMap()),
      planned(account),
      planned(role({ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] })),
      planned(binding({})),
      planned(deployment('web'), 'workload'),
      planned(deployment('worker'), 'rollout'),
      planned(deployment('postgres', { image: 'postgres:17' })),
    ];
    // The Role and its binding share a name: only the identity tells them apart.
    expect(check(objects)).toEqual([]);
  });

  it('refuses an object that nobody declared', () => {
    expect(check([planned(configMap('stray'))], [])).toEqual([
      'v1/ConfigMap/django-ray/stray (test/stray): is not in the inventory: no construct declared it',
    ]);
  });

  it('misses an object that was declared', () => {
    expect(check([], [planned(configMap())])).toEqual([
      'v1/ConfigMap/django-ray/settings (test/settings): was declared but is missing',
    ]);
  });

  it('refuses an identity that is made twice, and names both makers', () => {
    const twice = [planned(configMap()), { ...planned(configMap()), construct: 'test/other' }];
    expect(check(twice)).toEqual([
      'v1/ConfigMap/django-ray/settings (test/other): is made twice, also by test/settings',
    ]);
  });

  it.each([
    { lacks: 'apiVersion', manifest: { kind: 'ConfigMap', metadata: { name: 'a' } } },
    { lacks: 'kind', manifest: { apiVersion: 'v1', metadata: { name: 'a' } } },
    { lacks: 'metadata.name', manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } },
    { lacks: 'metadata.name', manifest: { apiVersion: 'v1', kind: 'ConfigMap' } },
    {
      lacks: 'a metadata.namespace that is text',
      manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 1 } },
    },
  ])('refuses an object without $lacks', ({ lacks, manifest }) => {
    const object = { ...planned(configMap()), manifest };
    expect(check([object], [])).toEqual([`object without ${lacks} (test/settings): give it one`]);
  });

  it('refuses a scope that the kind does not have', () => {
    const object: PlannedObject = { ...planned(configMap()), scope: 'cluster' };
    expect(check([object])).toEqual([
      'v1/ConfigMap/django-ray/settings (test/settings): was declared cluster but its kind is namespaced',
    ]);
  });
});

describe('checkInventory refuses where it lies:', () => {
  it.each<{ name: string; manifest: Manifest; problem: string }>([
    {
      name: 'no namespace',
      manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
      problem: 'v1/ConfigMap/(no namespace)/settings (test/settings): states no namespace: it must be django-ray',
    },
    {
      name: 'a foreign namespace',
      manifest: deployment('web', { namespace: 'default' }),
      problem: 'apps/v1/Deployment/default/web (test/web): lies in namespace default: it must be django-ray',
    },
    {
      name: 'a namespace on the Namespace',
      manifest: { ...namespace(), metadata: { name: 'django-ray', namespace: 'django-ray' } },
      problem: 'v1/Namespace/django-ray (test/django-ray): states namespace django-ray, but its kind has none',
    },
    {
      name: 'another Namespace',
      manifest: { ...namespace(), metadata: { name: 'default' } },
      problem: 'v1/Namespace/default (test/default): is another Namespace: only django-ray is ours',
    },
    {
      name: 'a ClusterRole',
      manifest: { ...role(), kind: 'ClusterRole', metadata: { name: 'all' } },
      problem: 'rbac.authorization.k8s.io/v1/ClusterRole/all (test/all): is cluster-scoped: only the Namespace may be',
    },
    {
      name: 'a kind of unknown scope',
      manifest: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'django-ray' } },
      problem:
        'example.com/v1/Thing/django-ray/a (test/a): its kind example.com/v1 Thing is not in the table of kinds, so its scope is unknown',
    },
  ])('$name', ({ manifest, problem }) => {
    expect(check([planned(manifest)])).toEqual([problem]);
  });

  it('a ClusterRole that states a namespace is still cluster-scoped', () => {
    expect(check([planned({ ...role(), kind: 'ClusterRole' })])).toEqual([
      'rbac.authorization.k8s.io/v1/ClusterRole/reader (test/reader): states namespace django-ray, but its kind has none',
      'rbac.authorization.k8s.io/v1/ClusterRole/reader (test/reader): is cluster-scoped: only the Namespace may be',
    ]);
  });
});

describe('checkInventory refuses an image:', () => {
  it.each([
    { name: 'latest', text: 'grafana/grafana:latest', problem: 'floats: pin a version or a digest' },
    { name: 'no tag', text: 'registry.example:5000/postgres', problem: 'floats: pin a version or a digest' },
    { name: 'a moving branch', text: 'postgres:main', problem: 'floats: pin a version or a digest' },
    { name: 'no reference', text: 'Postgres:17', problem: 'is no image reference' },
    {
      name: 'the release by another digest',
      text: `django-ray:${releaseTag}@sha256:${'0'.repeat(64)}`,
      problem: `is built from source but not the release django-ray:${releaseTag}`,
    },
    {
      name: 'an older release',
      text: 'django-ray:local-gate-tree-000000000000-00000000',
      problem: `is built from source but not the release django-ray:${releaseTag}`,
    },
  ])('$name', ({ text, problem }) => {
    expect(check([planned(image(text))])).toEqual([`${web}: ${at}.containers[0].image "${text}" ${problem}`]);
  });

  it.each(['latest', 'stable', 'edge', 'nightly', 'main', 'master', 'dev', 'develop', 'head', 'canary', 'LATEST'])(
    'whose tag moves by custom: %s',
    (tag) => {
      expect(check([planned(image(`postgres:${tag}`))])).toEqual([
        `${web}: ${at}.containers[0].image "postgres:${tag}" floats: pin a version or a digest`,
      ]);
    },
  );

  it('of an init container as well', () => {
    const manifest = pod({ initContainers: [{ name: 'wait', image: 'busybox' }] });
    expect(check([planned(manifest, 'workload')])).toEqual([
      `${web}: ${at}.initContainers[0].image "busybox" floats: pin a version or a digest`,
    ]);
  });

  it.each([
    'postgres:17',
    `postgres@sha256:${'0'.repeat(64)}`,
    `postgres:latest@sha256:${'0'.repeat(64)}`,
    'localhost:5000/a/b:1',
  ])('but not %s', (text) => {
    expect(check([planned(image(text))])).toEqual([]);
  });

  it('of a Job that does not run the release', () => {
    const job = { ...deployment('web', { image: 'postgres:17' }), apiVersion: 'batch/v1', kind: 'Job' };
    expect(check([planned(job, 'setup')])).toEqual([
      `batch/v1/Job/django-ray/web (test/web): runs in phase setup but none of its containers is built from source (django-ray:${releaseTag})`,
    ]);
  });

  it.each<Phase>(['setup', 'workload', 'rollout'])('in phase %s when none is built from source', (phase) => {
    expect(check([planned(image('postgres:17'), phase)])).toEqual([
      `${web}: runs in phase ${phase} but none of its containers is built from source (django-ray:${releaseTag})`,
    ]);
  });
});

describe('checkInventory refuses what reaches the host:', () => {
  it.each([
    {
      name: 'hostPath',
      manifest: pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      problem: `${at}.volumes[0].hostPath is set`,
    },
    { name: 'hostNetwork', manifest: pod({ hostNetwork: true }), problem: `${at}.hostNetwork is true` },
    { name: 'hostPID', manifest: pod({ hostPID: true }), problem: `${at}.hostPID is true` },
    { name: 'hostIPC', manifest: pod({ hostIPC: true }), problem: `${at}.hostIPC is true` },
    {
      name: 'hostPort',
      manifest: container({ ports: [{ containerPort: 80, hostPort: 80 }] }),
      problem: `${at}.containers[0].ports[0].hostPort is 80`,
    },
    {
      name: 'privileged',
      manifest: container({ securityContext: { privileged: true } }),
      problem: `${at}.containers[0].securityContext.privileged is true`,
    },
    {
      name: 'privilege escalation',
      manifest: container({ securityContext: { allowPrivilegeEscalation: true } }),
      problem: `${at}.containers[0].securityContext.allowPrivilegeEscalation is true`,
    },
    {
      name: 'root',
      manifest: pod({ securityContext: { runAsUser: 0 } }),
      problem: `${at}.securityContext.runAsUser is 0`,
    },
    {
      name: 'leave to be root',
      manifest: pod({ securityContext: { runAsNonRoot: false } }),
      problem: `${at}.securityContext.runAsNonRoot is false`,
    },
  ])('$name', ({ manifest, problem }) => {
    expect(check([planned(manifest)])).toEqual([`${web}: ${problem}: no object may reach the host`]);
  });

  it('external addresses of a Service', () => {
    const service = { ...configMap('s', { spec: { externalIPs: ['192.0.2.1'] } }), kind: 'Service' };
    expect(check([planned(service)])).toEqual([
      'v1/Service/django-ray/s (test/s): spec.externalIPs is set: no object may reach the host',
    ]);
  });

  it('an added capability', () => {
    const manifest = container({ securityContext: { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } } });
    expect(check([planned(manifest)])).toEqual([
      `${web}: ${at}.containers[0].securityContext.capabilities.add adds NET_ADMIN: capabilities are only dropped`,
    ]);
  });

  it('but not values that deny it', () => {
    const securityContext = { privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: 1000 };
    const ports = [{ containerPort: 80, hostPort: 0 }];
    expect(check([planned(container({ securityContext, ports }))])).toEqual([]);
  });
});

describe('checkInventory refuses access:', () => {
  const at = 'rbac.authorization.k8s.io/v1/RoleBinding/django-ray/reader (test/reader)';
  it.each([
    {
      name: 'for a stranger',
      rest: { subjects: [{ kind: 'ServiceAccount', name: 'stranger', namespace: 'django-ray' }] },
      problem: 'subject ServiceAccount django-ray/stranger is outside the inventory',
    },
    {
      name: 'for an account of the same name elsewhere',
      rest: { subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'default' }] },
      problem: 'subject ServiceAccount default/prometheus is outside the inventory',
    },
    {
      name: 'for a user that is called like an account',
      rest: { subjects: [{ kind: 'User', name: 'prometheus', namespace: 'django-ray' }] },
      problem: 'subject User django-ray/prometheus is outside the inventory',
    },
    {
      name: 'for a group',
      rest: { subjects: [{ kind: 'Group', name: 'system:authenticated' }] },
      problem: 'subject Group system:authenticated is outside the inventory',
    },
    {
      name: 'of a ClusterRole',
      rest: { roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
      problem: 'roleRef ClusterRole/cluster-admin is outside the inventory',
    },
    {
      name: 'of a ClusterRole that has the name of our Role',
      rest: { roleRef: { kind: 'ClusterRole', name: 'reader' } },
      problem: 'roleRef ClusterRole/reader is outside the inventory',
    },
    {
      name: 'of an unknown Role',
      rest: { roleRef: { kind: 'Role', name: 'other' } },
      problem: 'roleRef Role/other is outside the inventory',
    },
  ])('$name', ({ rest, problem }) => {
    expect(check([planned(account), planned(role()), planned(binding(rest))])).toEqual([`${at}: ${problem}`]);
  });

  it.each(['apiGroups', 'resources', 'verbs'])('to everything, in %s', (field) => {
    const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'], [field]: ['*'] };
    expect(check([planned(role({ rules: [rule] }))])).toEqual([
      `rbac.authorization.k8s.io/v1/Role/django-ray/reader (test/reader): rules[0].${field} holds "*": name what is needed`,
    ]);
  });
});

describe('checkInventory refuses content:', () => {
  it.each(['data', 'stringData'])('a Secret with %s', (field) => {
    const secret = { ...configMap('keys', { [field]: { TOKEN: 'eA==' } }), kind: 'Secret' };
    expect(check([planned(secret, 'preserved')])).toEqual([
      `v1/Secret/django-ray/keys (test/keys): ${field} holds values: a Secret is rendered without any`,
    ]);
  });

  it('null', () => {
    expect(check([planned(configMap('settings', { data: { KEY: null } }))])).toEqual([
      'v1/ConfigMap/django-ray/settings (test/settings): data.KEY is null: leave it out',
    ]);
  });

  it('a selector that takes the pods of another Deployment', () => {
    const all = deployment('all', { labels: { app: 'a' } });
    const one = deployment('one', { labels: { app: 'a', queues: 'one' } });
    expect(check([planned(all), planned(one)])).toEqual([
      'apps/v1/Deployment/django-ray/all (test/all): spec.selector also selects the pods of apps/v1/Deployment/django-ray/one',
    ]);
  });

  it('a selector of several labels, the rarest of which another Deployment shares', () => {
    const one = deployment('one', { labels: { app: 's', part: 'a' } });
    const same = deployment('same', { labels: { app: 's', part: 'a', more: 'b' }, selector: { more: 'b' } });
    const apart = deployment('apart', { labels: { app: 's', part: 'c' } });
    expect(check([planned(one), planned(same), planned(apart)])).toEqual([
      'apps/v1/Deployment/django-ray/one (test/one): spec.selector also selects the pods of apps/v1/Deployment/django-ray/same',
    ]);
  });

  it('a selector that misses its own pods', () => {
    expect(check([planned(deployment('web', { selector: { component: 'other' } }))])).toEqual([
      `${web}: spec.selector does not select the template's own labels`,
    ]);
  });

  it('a selector with expressions', () => {
    const manifest = deployment('web') as { spec: { selector: object } };
    const expressions = [{ key: 'component', operator: 'Exists' }];
    const spec = {
      ...manifest.spec,
      selector: { matchLabels: { component: 'web' }, matchExpressions: expressions },
    };
    expect(check([planned({ ...manifest, spec })])).toEqual([
      `${web}: spec.selector must be matchLabels, at least one, and no expressions`,
    ]);
  });

  it('a selector of everything', () => {
    expect(check([planned(deployment('web', { selector: {} }))])).toEqual([
      `${web}: spec.selector must be matchLabels, at least one, and no expressions`,
    ]);
  });
});

describe('an inventory with cluster-scoped kinds of its own', () => {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const clusterRole = { apiVersion: rbac, kind: 'ClusterRole', metadata: { name: 'reader' }, rules: [] };
  const clusterBinding = (role: string, subject: object = {}) => ({
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'django-ray', ...subject }],
  });
  const allowing = (...manifests: Manifest[]) => {
    const objects = manifests.map((manifest) => planned(manifest));
    const clusterKinds = [`${rbac}/ClusterRole`, `${rbac}/ClusterRoleBinding`];
    return checkInventory(objects, {
      declared: objects,
      namespace: 'django-ray',
      releaseTag,
      repository: 'x',
      clusterKinds,
    });
  };

  it('takes a ClusterRole and its binding to an account of its own', () => {
    expect(allowing(clusterRole, clusterBinding('reader'), account)).toEqual([]);
  });

  it.each([
    {
      name: 'a binding of a ClusterRole that it does not hold',
      manifests: [clusterRole, clusterBinding('cluster-admin'), account],
      says: 'roleRef ClusterRole/cluster-admin is outside the inventory',
    },
    {
      name: 'a binding to an account of another namespace',
      manifests: [clusterRole, clusterBinding('reader', { namespace: 'default' }), account],
      says: 'subject ServiceAccount default/prometheus is outside the inventory',
    },
    {
      name: 'a ClusterRole with a wildcard',
      manifests: [{ ...clusterRole, rules: [{ apiGroups: [''], resources: ['*'], verbs: ['get'] }] }],
      says: 'rules[0].resources holds "*": name what is needed',
    },
    {
      name: 'a kind that is not on its list',
      manifests: [{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' } }],
      says: `is cluster-scoped: only the Namespace, ${rbac}/ClusterRole, ${rbac}/ClusterRoleBinding may be`,
    },
    {
      name: 'another Namespace',
      manifests: [{ ...namespace(), metadata: { name: 'other' } }],
      says: 'is another Namespace: only django-ray is ours',
    },
  ])('refuses $name', ({ manifests, says }) => {
    const problems = allowing(...manifests);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(says);
  });
});
