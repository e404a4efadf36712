import { type PolicyRule, type Verb, verbs } from './policyRule.js';

/** One thing that an account reads or writes. */
export interface AccessRow {
  readonly group: string;
  /** Plural, with the subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /** Only objects of these names. */
  readonly names?: readonly string[];
}

/**
 * The rules that give what the rows ask for, and nothing else. Rows on the same resource and names become one rule; resources of a
 * group with the same names and verbs share one. The order of the rows does not matter.
 */
export function mergedRules(rows: readonly AccessRow[]): readonly PolicyRule[] {
  const verbsOf = new Map<string, Set<Verb>>();
  for (const row of rows) {
    const key = JSON.stringify([row.group, row.resource, [...(row.names ?? [])].sort()]);
    const asked = verbsOf.get(key) ?? new Set();
    for (const verb of row.verbs) asked.add(verb);
    verbsOf.set(key, asked);
  }
  const merged = new Map<string, { group: string; resources: string[]; names: readonly string[]; verbs: Verb[] }>();
  for (const [key, asked] of [...verbsOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [group, resource, names] = JSON.parse(key) as [string, string, string[]];
    const ordered = verbs.filter((verb) => asked.has(verb));
    const shared = JSON.stringify([group, names, ordered]);
    const rule = merged.get(shared) ?? { group, resources: [], names, verbs: ordered };
    rule.resources.push(resource);
    merged.set(shared, rule);
  }
  return [...merged.values()].map((rule) => ({
    apiGroups: [rule.group],
    resources: rule.resources,
    ...(rule.names.length > 0 ? { resourceNames: rule.names } : {}),
    verbs: rule.verbs,
  }));
}
