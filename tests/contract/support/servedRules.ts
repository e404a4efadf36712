import type { PolicyRule } from '../../../src/api/access/policyRule.js';
import type { PlannedObject } from '../../../src/infra/plannedObject.js';

/** What discovery says of one group version (an APIResourceList). */
export interface ResourceDocument {
  readonly groupVersion: string;
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

export interface PlacedRule {
  /** The role that holds it. */
  readonly where: string;
  readonly rule: PolicyRule;
}

/** The rules of all Roles and ClusterRoles among rendered objects. */
export function rulesOfObjects(objects: readonly PlannedObject[]): readonly PlacedRule[] {
  return objects
    .filter(({ manifest }) => manifest['kind'] === 'Role' || manifest['kind'] === 'ClusterRole')
    .flatMap(({ identity, manifest }) =>
      ((manifest['rules'] ?? []) as readonly PolicyRule[]).map((rule) => ({ where: identity, rule })),
    );
}

/** What discovery will say once the CustomResourceDefinitions among rendered objects are installed. */
export function documentsOfCrds(objects: readonly PlannedObject[]): readonly ResourceDocument[] {
  return objects
    .filter(({ manifest }) => manifest['kind'] === 'CustomResourceDefinition')
    .flatMap(({ manifest }) => {
      const { group, names, versions } = manifest['spec'] as {
        group: string;
        names: { plural: string };
        versions: readonly { name: string; served: boolean; subresources?: { status?: object } }[];
      };
      return versions
        .filter(({ served }) => served)
        .map(({ name, subresources }) => ({
          groupVersion: `${group}/${name}`,
          resources: [
            { name: names.plural, verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
            ...(subresources?.status ? [{ name: `${names.plural}/status`, verbs: ['get', 'update', 'patch'] }] : []),
          ],
        }));
    });
}

/** Asked of the authorizer only: discovery lists no such verb. */
const authorizerVerbs = ['bind'];

/**
 * Each rule that names what discovery does not serve, a line each. A group that is not served at all passes when it is optional;
 * one that is served must serve the resource, the subresource and the verb.
 */
export function unservedRules(
  rules: readonly PlacedRule[],
  documents: readonly ResourceDocument[],
  optionalGroups: readonly string[],
): readonly string[] {
  const served = new Map<string, Set<string>>();
  const groups = new Set<string>();
  for (const { groupVersion, resources } of documents) {
    const group = groupVersion.includes('/') ? (groupVersion.split('/')[0] ?? '') : '';
    groups.add(group);
    for (const { name, verbs } of resources) {
      const all = served.get(`${group}/${name}`) ?? new Set();
      for (const verb of verbs) all.add(verb);
      served.set(`${group}/${name}`, all);
    }
  }
  const problems = rules.flatMap(({ where, rule: { apiGroups, resources, verbs } }) =>
    apiGroups.flatMap((group) => {
      if (!groups.has(group))
        return optionalGroups.includes(group) ? [] : [`${where}: group "${group}" is not served, and is not optional`];
      return resources.flatMap((resource) => {
        const offered = served.get(`${group}/${resource}`);
        if (!offered) return [`${where}: group "${group}" serves no ${resource}`];
        return verbs
          .filter((verb) => !offered.has(verb) && !authorizerVerbs.includes(verb))
          .map((verb) => `${where}: group "${group}" serves ${resource} without ${verb}`);
      });
    }),
  );
  return [...new Set(problems)];
}
