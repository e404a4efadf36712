import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionalGroups } from '../../src/api/access/optionalGroups.js';
import type { PolicyRule } from '../../src/api/access/policyRule.js';
import { synthController } from '../../src/infra/charts/controller.js';
import { allRules } from '../contract/support/allRules.js';
import {
  documentsOfCrds,
  type ResourceDocument,
  rulesOfObjects,
  unservedRules,
} from '../contract/support/servedRules.js';

const document = (groupVersion: string, resources: Readonly<Record<string, readonly string[]>>): ResourceDocument => ({
  groupVersion,
  resources: Object.entries(resources).map(([name, verbs]) => ({ name, verbs })),
});
const rule = (over: Partial<PolicyRule> = {}): PolicyRule => ({
  apiGroups: ['apps'],
  resources: ['deployments'],
  verbs: ['get'],
  ...over,
});
const documents = [
  document('v1', { pods: ['get'], 'pods/log': ['get'] }),
  document('apps/v1', { deployments: ['get'], 'deployments/status': ['get', 'patch'] }),
  document('apps/v2', { deployments: ['patch'] }),
];
const problems = (over: Partial<PolicyRule>, optional: readonly string[] = []) =>
  unservedRules([{ where: 'Role a', rule: rule(over) }], documents, optional);

describe('a rule', () => {
  it.each<{ name: string; over: Partial<PolicyRule>; optional?: readonly string[]; says: readonly string[] }>([
    { name: 'passes on a resource that is served', over: {}, says: [] },
    { name: 'passes on the verbs of all versions together', over: { verbs: ['get', 'patch'] }, says: [] },
    { name: 'passes on a core subresource', over: { apiGroups: [''], resources: ['pods', 'pods/log'] }, says: [] },
    { name: 'passes on a verb that only the authorizer knows', over: { verbs: ['bind'] }, says: [] },
    {
      name: 'is named when its resource is misspelt',
      over: { resources: ['deployment'] },
      says: ['Role a: group "apps" serves no deployment'],
    },
    {
      name: 'is named when its subresource is not served',
      over: { resources: ['deployments/log'] },
      says: ['Role a: group "apps" serves no deployments/log'],
    },
    {
      name: 'is named when its verb is not served',
      over: { verbs: ['get', 'watch'] },
      says: ['Role a: group "apps" serves deployments without watch'],
    },
    {
      name: 'is named when nobody serves its group',
      over: { apiGroups: ['app'] },
      says: ['Role a: group "app" is not served, and is not optional'],
    },
    {
      name: 'passes when its group is optional and lacking',
      over: { apiGroups: ['app'] },
      optional: ['app'],
      says: [],
    },
    {
      name: 'is named when its group is optional and served without it',
      over: { resources: ['daemonsets'] },
      optional: ['apps'],
      says: ['Role a: group "apps" serves no daemonsets'],
    },
  ])('$name', ({ over, optional, says }) => {
    expect(problems(over, optional)).toEqual(says);
  });
});

describe('discovery of the CRDs that the controller brings', () => {
  it('serves the four kinds, and the status of those that have one', () => {
    const served = documentsOfCrds(synthController()).flatMap(({ groupVersion, resources }) =>
      resources.map(({ name }) => `${groupVersion}/${name}`),
    );
    expect(served).toContain('tau.azure.com/v1alpha1/workspaces');
    expect(served).toContain('tau.azure.com/v1alpha1/workspaces/status');
    expect(new Set(served.map((each) => each.split('/')[2])).size).toBe(4);
  });
});

describe('the rules of rendered objects', () => {
  it('are those of the roles among them, each with its role', () => {
    const rules = rulesOfObjects(synthController());
    const roles = synthController().filter(({ manifest }) => /Role$/.test(String(manifest['kind'])));
    expect(new Set(rules.map(({ where }) => where))).toEqual(new Set(roles.map(({ identity }) => identity)));
  });
});

/**
 * Recorded from a kube-apiserver 1.35.4 with the CRDs of KubeRay 1.6.2 and Kueue 0.17.0, a line a resource; other groups are left out.
 */
describe('on a recorded cluster with KubeRay and Kueue', () => {
  const lines = readFileSync(new URL('./recorded/discovery.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const recorded = lines.map((line) => {
    const [groupVersion = '', name = '', verbs = ''] = line.split(' ');
    return document(groupVersion, { [name]: verbs.split(',') });
  });
  const lacking = Object.keys(optionalGroups).filter((group) => !['kueue.x-k8s.io', 'ray.io'].includes(group));

  it('each rule of this repository names what is served, or a group that may be lacking', () => {
    const found = unservedRules(allRules(), [...recorded, ...documentsOfCrds(synthController())], lacking);
    expect(found).toEqual([]);
  });

  it('the comparison would see a group that is gone', () => {
    const without = recorded.filter(({ groupVersion }) => !groupVersion.startsWith('ray.io/'));
    expect(unservedRules(allRules(), without, lacking).join()).toContain('"ray.io" is not served, and is not optional');
  });
});
