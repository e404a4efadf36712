import { type AccessRow, mergedRules } from '../../api/access/mergedRules.js';
import type { PolicyRule, Verb } from '../../api/access/policyRule.js';
import type { Manifest } from '../plannedObject.js';
import { type AppliedObject, appliedObject, appliedPart } from './appliedObjects.js';
import type { Confined } from './confined.js';

export interface DeployerRules {
  /** Of the Role in the stack's namespace. */
  readonly namespaced: readonly PolicyRule[];
  /** Of the ClusterRole: the Namespace itself, and what steps read of the whole cluster. */
  readonly cluster: readonly PolicyRule[];
}

/**
 * What an account needs to apply a plan and to run the gate, and nothing else. Objects are named wherever the authorizer learns a
 * name; that includes creation, since server-side apply creates by a request that names the object (Kubernetes 1.35).
 */
export function deployerRules({ objects, gate, retired }: Confined): DeployerRules {
  const applied = appliedPart(objects);
  const all = applied.map(({ identity }) => appliedObject(identity));
  const inside = all.filter(({ scope }) => scope === 'namespaced');
  const gone = retired.map(appliedObject);
  return {
    namespaced: mergedRules([
      ...named(
        inside.filter(({ kept }) => !kept),
        ['get', 'create', 'patch', 'delete'],
      ),
      ...named(
        inside.filter(({ kept }) => kept),
        ['get', 'create', 'patch'],
      ),
      ...named(gone, ['get', 'delete']),
      ...[...inside, ...gone].map(followed),
      followed({ group: '', resource: 'events' }),
      ...applied.flatMap(({ manifest }) => givenAwayBy(manifest)),
      ...gate.filter(({ scope }) => scope !== 'cluster'),
    ]),
    // The Namespace is there before the stack: it is patched, and never made.
    cluster: mergedRules([
      ...named(
        all.filter(({ scope }) => scope === 'cluster'),
        ['get', 'patch'],
      ),
      ...gate.filter(({ scope }) => scope === 'cluster'),
    ]),
  };
}

/** One row a resource, with all its names. */
function named(objects: readonly AppliedObject[], verbs: readonly Verb[]): readonly AccessRow[] {
  const rows = new Map<string, { group: string; resource: string; names: string[]; verbs: readonly Verb[] }>();
  for (const { group, resource, name } of objects) {
    const row = rows.get(`${group}/${resource}`) ?? { group, resource, names: [], verbs };
    row.names.push(name);
    rows.set(`${group}/${resource}`, row);
  }
  return [...rows.values()];
}

/**
 * Pulumi's provider follows a deletion by a list and a watch of the namespace, beside one of its events, and hangs where it may
 * not (pulumi-kubernetes 4.25).
 */
function followed({ group, resource }: Pick<AppliedObject, 'group' | 'resource'>): AccessRow {
  return { group, resource, verbs: ['list', 'watch'] };
}

/** The API server lets nobody make a Role that gives what he does not hold; holding it needs neither `escalate` nor `bind`. */
function givenAwayBy(manifest: Manifest): readonly AccessRow[] {
  if (manifest['kind'] !== 'Role') return [];
  const rules = (manifest['rules'] ?? []) as readonly PolicyRule[];
  return rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.map((resource) => ({ group, resource, verbs, ...(resourceNames ? { names: resourceNames } : {}) })),
    ),
  );
}
