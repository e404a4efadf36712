import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessRole,
  accessRoles,
  type DeclaredAccess,
  declaredAccess,
} from '../../src/api/access/declaredAccess.js';
import {
  clusterQueueReaderRules,
  drainingResearcherRules,
  researcherRules,
  workspaceReaderRules,
} from '../../src/api/access/handedOut.js';
import { optionalGroups, presentGroups } from '../../src/api/access/optionalGroups.js';
import type { PolicyRule } from '../../src/api/access/policyRule.js';
import { rulesOf } from '../../src/api/access/rulesOf.js';

const roles = Object.keys(accessRoles) as AccessRole[];
const all = roles.flatMap((role) => rulesOf(role, declaredAccess));

/** `apiGroup/resource[names] verb`, one a permission. */
const permissions = (rules: readonly PolicyRule[]): Set<string> =>
  new Set(
    rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          (resourceNames ?? ['*']).flatMap((name) => verbs.map((verb) => `${group}/${resource}[${name}] ${verb}`)),
        ),
      ),
    ),
  );
const holds = (held: Set<string>, wanted: string) => held.has(wanted) || held.has(wanted.replace(/\[.*\]/, '[*]'));

const row = (over: Partial<DeclaredAccess> = {}): DeclaredAccess => ({
  path: 'a test',
  role: 'core',
  group: 'apps',
  resource: 'deployments',
  verbs: ['get'],
  ...over,
});

describe('rulesOf', () => {
  it('joins the verbs of rows on the same resource, and resources with the same verbs', () => {
    const rows = [
      row({ verbs: ['watch'] }),
      row({ verbs: ['get'] }),
      row({ resource: 'statefulsets', verbs: ['watch', 'get'] }),
      row({ role: 'leaderElection', resource: 'replicasets' }),
    ];
    expect(rulesOf('core', rows)).toEqual([
      { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: ['get', 'watch'] },
    ]);
  });

  it('keeps a rule on named objects apart from one on all', () => {
    const rows = [row({ names: ['b', 'a'] }), row({ verbs: ['list'] })];
    expect(rulesOf('core', rows)).toEqual([
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a', 'b'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list'] },
    ]);
  });

  it('gives exactly what the rows ask for, in whatever order they stand', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...declaredAccess]), (rows) => {
        const asked = permissions(
          rows
            .filter((each) => each.role === 'core')
            .map((each) => ({
              apiGroups: [each.group],
              resources: [each.resource],
              ...(each.names ? { resourceNames: each.names } : {}),
              verbs: each.verbs,
            })),
        );
        expect([...permissions(rulesOf('core', rows))].sort()).toEqual([...asked].sort());
        const inOrder = declaredAccess.filter((each) => rows.includes(each));
        expect(rulesOf('core', rows)).toEqual(rulesOf('core', inOrder));
      }),
    );
  });
});

describe('what the controller declares', () => {
  it('names the reconcile path of each row', () => {
    for (const { path, resource } of declaredAccess) expect(path, resource).toMatch(/^[a-z ]+: \S/);
  });

  it.each(['batch/jobs', 'apps/deployments', 'ray.io/rayjobs', 'ray.io/rayservices', 'kueue.x-k8s.io/workloads'])(
    'only reads %s',
    (resource) => {
      const verbs = [...permissions(all)].filter((each) => each.startsWith(`${resource}[`));
      expect(verbs.sort()).toEqual([`${resource}[*] get`, `${resource}[*] list`, `${resource}[*] watch`]);
    },
  );

  it('has no wildcard, no escalate, and binds named ClusterRoles only', () => {
    const text = JSON.stringify(all);
    expect(text).not.toContain('*');
    expect(text).not.toContain('escalate');
    expect([...permissions(all)].filter((each) => each.endsWith(' bind')).sort()).toEqual([
      'rbac.authorization.k8s.io/clusterroles[tau-clusterqueue-reader-v1] bind',
      'rbac.authorization.k8s.io/clusterroles[tau-researcher-drain-v1] bind',
      'rbac.authorization.k8s.io/clusterroles[tau-researcher-v1] bind',
    ]);
  });

  it('touches no Secret, Node or exec', () => {
    for (const resource of ['/secrets[', '/nodes[', '/pods/exec['])
      expect([...permissions(all)].filter((each) => each.includes(resource))).toEqual([]);
  });

  it('writes nothing of the groups whose work it only watches', () => {
    const written = [...permissions(all)].filter((each) => !/ (get|list|watch)$/.test(each));
    const groups = [...new Set(written.map((each) => each.split('/')[0]))].sort();
    expect(groups).toEqual(['', 'coordination.k8s.io', 'kueue.x-k8s.io', 'rbac.authorization.k8s.io', 'tau.azure.com']);
  });

  it('names groups that every cluster has, or groups that are named as optional', () => {
    const known: string[] = [...presentGroups, ...Object.keys(optionalGroups)];
    expect(declaredAccess.filter((each) => !known.includes(each.group))).toEqual([]);
  });

  it('holds in the system namespace all that a reader Role gives, so that it may give it', () => {
    const held = permissions([...rulesOf('core', declaredAccess), ...rulesOf('platformRbac', declaredAccess)]);
    const missing = [...permissions(workspaceReaderRules('any'))].filter((each) => !holds(held, each));
    expect(missing).toEqual([]);
  });
});

describe('what it hands out', () => {
  it('lets a researcher run work and read its traces, and no Deployment', () => {
    const given = permissions(researcherRules);
    expect([...given].filter((each) => each.startsWith('batch/jobs')).length).toBe(7);
    expect([...given].filter((each) => each.startsWith('apps/'))).toEqual([]);
    expect(given.has('/pods/log[*] get')).toBe(true);
  });

  it('leaves a researcher whose namespace drains with nothing that starts or changes work', () => {
    const given = permissions(drainingResearcherRules);
    expect([...given].filter((each) => / (create|update|patch)$/.test(each))).toEqual([]);
    const whole = permissions(researcherRules);
    expect([...given].filter((each) => !whole.has(each))).toEqual([]);
  });

  it('lets a subject read ClusterQueues and the one TauCluster by name', () => {
    expect([...permissions(clusterQueueReaderRules)]).toEqual([
      'kueue.x-k8s.io/clusterqueues[*] get',
      'tau.azure.com/clusters[cluster] get',
    ]);
  });
});
