import { describe, expect, it } from 'vitest';
import type { AccessRow } from '../../src/api/access/mergedRules.js';
import type { PolicyRule } from '../../src/api/access/policyRule.js';
import { gateAccess } from '../../src/gate/model/declaredAccess.js';
import { gateLeaseName, kinds, secretName, setupJobName } from '../../src/gate/model/kinds.js';
import { enforcementClusterKinds, synthEnforcement } from '../../src/infra/charts/enforcement.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';
import { admissionRules } from '../../src/infra/enforce/admissionRules.js';
import { appliedObject } from '../../src/infra/enforce/appliedObjects.js';
import type { Confined } from '../../src/infra/enforce/confined.js';
import { deployerRules } from '../../src/infra/enforce/deployerRules.js';
import { enforcementPlan } from '../../src/infra/enforce/enforcementPlan.js';
import { checkInventory } from '../../src/infra/inventory/check.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../src/infra/releaseTag.js';
import { configMap, deployment, namespace, planned } from '../builders/plan.js';

const claim = { ...configMap('data'), kind: 'PersistentVolumeClaim' };
const secret = { ...configMap('keys'), kind: 'Secret' };
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'setup', namespace: 'django-ray' } };
const role = (rules: readonly object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader', namespace: 'django-ray' },
  rules,
});
const confined = (over: Partial<Confined> = {}): Confined => ({ objects: [], gate: [], retired: [], ...over });

/** `verb group/resource[name]`, one a permission; sorted. */
const permissions = (rules: readonly PolicyRule[]): readonly string[] =>
  rules
    .flatMap(({ apiGroups, resources, resourceNames = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          (resourceNames.length === 0 ? [''] : resourceNames).flatMap((name) =>
            verbs.map((verb) => `${verb} ${group}/${resource}${name === '' ? '' : `[${name}]`}`),
          ),
        ),
      ),
    )
    .sort();
const events = ['list /events', 'watch /events'];

describe("the deployer's rules", () => {
  const rows: readonly { name: string; over: Partial<Confined>; gives: readonly string[] }[] = [
    {
      name: 'let it write an object by its name, and follow its kind',
      over: { objects: [planned(configMap())] },
      gives: [
        'create /configmaps[settings]',
        'delete /configmaps[settings]',
        'get /configmaps[settings]',
        'list /configmaps',
        'patch /configmaps[settings]',
        'watch /configmaps',
        ...events,
      ],
    },
    {
      name: 'let it delete no claim',
      over: { objects: [planned(claim)] },
      gives: [
        'create /persistentvolumeclaims[data]',
        'get /persistentvolumeclaims[data]',
        'list /persistentvolumeclaims',
        'patch /persistentvolumeclaims[data]',
        'watch /persistentvolumeclaims',
        ...events,
      ],
    },
    { name: 'leave the Secret alone', over: { objects: [planned(secret, 'preserved')] }, gives: events },
    { name: "leave the setup Job to the gate's own rows", over: { objects: [planned(job, 'setup')] }, gives: events },
    {
      name: 'hold what a Role gives away',
      over: { objects: [planned(role([{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]))] },
      gives: [
        'create rbac.authorization.k8s.io/roles[reader]',
        'delete rbac.authorization.k8s.io/roles[reader]',
        'get /pods',
        'get rbac.authorization.k8s.io/roles[reader]',
        'list rbac.authorization.k8s.io/roles',
        'patch rbac.authorization.k8s.io/roles[reader]',
        'watch rbac.authorization.k8s.io/roles',
        ...events,
      ],
    },
    {
      name: 'hold what a Role gives away of named objects only',
      over: {
        objects: [
          planned(
            role([{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }]),
            'workload',
          ),
        ],
      },
      gives: [
        'create rbac.authorization.k8s.io/roles[reader]',
        'delete rbac.authorization.k8s.io/roles[reader]',
        'get /secrets[a]',
        'get rbac.authorization.k8s.io/roles[reader]',
        'list rbac.authorization.k8s.io/roles',
        'patch rbac.authorization.k8s.io/roles[reader]',
        'watch rbac.authorization.k8s.io/roles',
        ...events,
      ],
    },
    {
      name: 'let it delete what an earlier inventory had, and not write it',
      over: { retired: ['apps/v1/Deployment/django-ray/old'] },
      gives: [
        'delete apps/deployments[old]',
        'get apps/deployments[old]',
        'list apps/deployments',
        'watch apps/deployments',
        ...events,
      ],
    },
    {
      name: 'hold what the gate asks for',
      over: { gate: [{ group: 'batch', resource: 'jobs', verbs: ['get'], names: ['setup'] }] },
      gives: ['get batch/jobs[setup]', ...events],
    },
  ];
  it.each(rows)('$name', ({ over, gives }) => {
    const { namespaced, cluster } = deployerRules(confined(over));
    expect(permissions(namespaced)).toEqual([...gives].sort());
    expect(cluster).toEqual([]);
  });

  it('let it patch the Namespace, and neither make nor delete it', () => {
    const { namespaced, cluster } = deployerRules(confined({ objects: [planned(namespace())] }));
    expect(permissions(cluster)).toEqual(['get /namespaces[django-ray]', 'patch /namespaces[django-ray]']);
    expect(permissions(namespaced)).toEqual(events);
  });

  it('let it read of the whole cluster what a step reads of it, by its ClusterRole alone', () => {
    const nodes = { group: '', resource: 'nodes', verbs: ['list'], scope: 'cluster' } as const;
    const { namespaced, cluster } = deployerRules(confined({ gate: [nodes] }));
    expect(permissions(cluster)).toEqual(['list /nodes']);
    expect(permissions(namespaced)).toEqual(events);
  });

  it('name all objects of a kind in one rule', () => {
    const objects = [planned(configMap('a')), planned(configMap('b'))];
    const rule = deployerRules(confined({ objects })).namespaced.find((each) => each.verbs.includes('patch'));
    expect(rule?.resourceNames).toEqual(['a', 'b']);
  });
});

describe('an identity', () => {
  it.each([
    [
      'apps/v1/Deployment/django-ray/web',
      {
        group: 'apps',
        resource: 'deployments',
        scope: 'namespaced',
        namespace: 'django-ray',
        name: 'web',
        kept: false,
      },
    ],
    [
      'v1/Namespace/django-ray',
      { group: '', resource: 'namespaces', scope: 'cluster', namespace: undefined, name: 'django-ray', kept: true },
    ],
    [
      'v1/PersistentVolumeClaim/django-ray/v1',
      {
        group: '',
        resource: 'persistentvolumeclaims',
        scope: 'namespaced',
        namespace: 'django-ray',
        name: 'v1',
        kept: true,
      },
    ],
  ])('is read: %s', (identity, expected) => {
    expect(appliedObject(identity)).toEqual(expected);
  });

  it('of an unknown kind is refused by name', () => {
    expect(() => appliedObject('example.com/v1/Thing/django-ray/a')).toThrow(
      'example.com/v1/Thing/django-ray/a: its kind is not in the table of kinds, so no role can name it',
    );
  });
});

/** What each expression means, the contract test on a real API server shows; here is what it is computed from. */
describe("the admission policy's expressions", () => {
  const objects = [planned(namespace()), planned(claim), planned(deployment('web'), 'workload')];
  const text = (over: Partial<Confined> = {}) => JSON.stringify(admissionRules(confined({ objects, ...over })));
  const place = (path: string) => JSON.stringify(JSON.stringify(path)).slice(1, -1);

  it('name what is applied', () => {
    for (const path of ['/namespaces//django-ray', 'apps/deployments/django-ray/web'])
      expect(text()).toContain(place(path));
  });

  it('name what the gate writes by name, and not what it only reads', () => {
    const gate: AccessRow[] = [
      { group: 'batch', resource: 'jobs', verbs: ['get', 'delete'], names: ['setup'] },
      { group: '', resource: 'secrets', verbs: ['get'], names: ['keys'] },
    ];
    expect(text({ gate })).toContain(place('batch/jobs/django-ray/setup'));
    expect(text({ gate })).not.toContain('secrets');
  });

  it('name neither what is preserved nor what the gate makes itself', () => {
    const more = text({ objects: [planned(secret, 'preserved'), planned(job, 'setup')] });
    expect(more).not.toContain('secrets');
    expect(more).not.toContain('jobs');
  });

  it('name what outlives the stack a second time, since it is not deleted', () => {
    expect(text().split(place('/persistentvolumeclaims/django-ray/data'))).toHaveLength(3);
    expect(text().split(place('apps/deployments/django-ray/web'))).toHaveLength(2);
  });

  it('name a subresource only when the gate writes it', () => {
    expect(text({ gate: [{ group: '', resource: 'pods/log', verbs: ['get'] }] })).not.toContain('pods/log');
    expect(text({ gate: [{ group: '', resource: 'pods/exec', verbs: ['create'] }] })).toContain(place('/pods/exec'));
  });

  it("let commands be run in Ray's containers only", () => {
    expect(text()).toContain(
      `object.container in ${JSON.stringify(JSON.stringify(['ray-head', 'ray-worker'])).slice(1, -1)}`,
    );
  });

  it('name an object of an earlier inventory', () => {
    expect(text({ retired: ['v1/ConfigMap/django-ray/old'] })).toContain(place('/configmaps/django-ray/old'));
  });
});

describe('the second inventory', () => {
  const overlay = synthOverlay({
    profile: 'full',
    releaseTag: placeholderReleaseTag,
    sourceTree: placeholderSourceTree,
    archiveUri: placeholderArchiveUri,
    runtimeEnvAccess: 'RWX',
  });
  const objects = synthEnforcement({ objects: overlay, gate: gateAccess, retired: [] });
  const rbac = 'rbac.authorization.k8s.io/v1';
  const admission = 'admissionregistration.k8s.io/v1';
  const expectation = {
    declared: objects,
    namespace: 'django-ray',
    releaseTag: placeholderReleaseTag,
    repository: 'django-ray',
    clusterKinds: enforcementClusterKinds,
  };

  it('is the account, its two roles with their bindings, and the policy with its binding', () => {
    expect(objects.map(({ identity }) => identity)).toEqual([
      `${admission}/ValidatingAdmissionPolicy/raygate-deployer`,
      `${admission}/ValidatingAdmissionPolicyBinding/raygate-deployer`,
      `${rbac}/ClusterRole/raygate-deployer`,
      `${rbac}/ClusterRoleBinding/raygate-deployer`,
      `${rbac}/Role/django-ray/raygate-deployer`,
      `${rbac}/RoleBinding/django-ray/raygate-deployer`,
      'v1/ServiceAccount/django-ray/raygate-deployer',
    ]);
  });

  it('shares no object with the first', () => {
    const first = new Set(overlay.map(({ identity }) => identity));
    expect(objects.filter(({ identity }) => first.has(identity))).toEqual([]);
  });

  it('passes the checker, with its own list of cluster-scoped kinds and only with that', () => {
    expect(checkInventory(objects, expectation)).toEqual([]);
    expect(checkInventory(objects, { ...expectation, clusterKinds: [] })).toHaveLength(4);
  });

  it('fails closed, and refuses rather than warns', () => {
    const spec = (kind: string) => objects.find(({ manifest }) => manifest['kind'] === kind)?.manifest['spec'];
    expect(spec('ValidatingAdmissionPolicy')).toMatchObject({ failurePolicy: 'Fail' });
    expect(spec('ValidatingAdmissionPolicyBinding')).toEqual({
      policyName: 'raygate-deployer',
      validationActions: ['Deny'],
    });
  });

  it('gives no pod its account by default', () => {
    const account = objects.find(({ manifest }) => manifest['kind'] === 'ServiceAccount');
    expect(account?.manifest['automountServiceAccountToken']).toBe(false);
  });

  it('notes on the Role what a later plan may have to delete: what is applied and not kept, and what is left of earlier ones', () => {
    const retired = ['v1/ConfigMap/django-ray/old'];
    const { annotation, name } = enforcementPlan(overlay, gateAccess).role;
    const later = enforcementPlan(overlay, gateAccess).confine(retired).objects;
    const held = later.find(({ identity }) => identity === `${rbac}/Role/django-ray/${name}`)?.manifest['metadata'];
    const listed = (held as { annotations: Record<string, string> }).annotations[annotation]?.split(' ') ?? [];
    const kept = ['PersistentVolumeClaim', 'Namespace', 'Secret', 'Job'];
    const own = overlay.filter(({ manifest }) => !kept.includes(String(manifest['kind'])));
    expect(listed).toEqual([...own.map(({ identity }) => identity), ...retired].sort());
  });

  it('may, in sum, do this to what it does not name', () => {
    const plan = enforcementPlan(overlay, gateAccess).confine([]);
    const unnamed = permissions(plan.rules).filter((each) => !/\[|^(get|list|watch) /.test(each));
    expect(unnamed).toEqual([
      'create /pods/exec',
      'create batch/jobs',
      'create coordination.k8s.io/leases',
      'delete /pods',
    ]);
  });
});

describe("the gate's declared access", () => {
  it('names each kind that a step reads or writes; the others are of preflight, which has the rights of the user', () => {
    const ofPreflight = [
      'CustomResourceDefinition',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'Namespace',
      'PersistentVolumeClaim',
      'StorageClass',
    ];
    const named = new Set(gateAccess.map(({ resource }) => resource));
    const missing = Object.values(kinds)
      .map(({ kind }) => kind)
      .filter((kind) => !ofPreflight.includes(kind) && !named.has(`${kind.toLowerCase()}s`));
    expect(missing).toEqual([]);
  });

  it('writes only the setup Job, its Lease, pods that are deleted, and commands that are run in pods', () => {
    const written = gateAccess.filter(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
    expect(written.map(({ resource, verbs, names }) => ({ resource, verbs, names }))).toEqual([
      { resource: 'jobs', verbs: ['create'], names: undefined },
      { resource: 'jobs', verbs: ['get', 'delete'], names: [setupJobName] },
      { resource: 'pods', verbs: ['delete'], names: undefined },
      { resource: 'pods/exec', verbs: ['get', 'create'], names: undefined },
      { resource: 'leases', verbs: ['create'], names: undefined },
      { resource: 'leases', verbs: ['get', 'patch', 'delete'], names: [gateLeaseName] },
    ]);
  });

  it('writes nothing outside of its namespace', () => {
    const outside = gateAccess.filter(({ scope }) => scope === 'cluster');
    expect(outside.flatMap(({ verbs }) => verbs).filter((verb) => !['get', 'list', 'watch'].includes(verb))).toEqual(
      [],
    );
    expect(outside.map(({ resource }) => resource)).toEqual(['nodes']);
  });

  it('reads one Secret', () => {
    expect(gateAccess.filter(({ resource }) => resource.startsWith('secrets'))).toMatchObject([
      { verbs: ['get'], names: [secretName] },
    ]);
  });
});
