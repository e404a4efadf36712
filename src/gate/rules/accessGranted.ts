import { ready, type Verdict, waiting } from '../../core/verdict.js';
import type { AccountRule, DeployerAccount } from '../model/account.js';

/** A rule as the authorizer reports it: `*` stands for all, no names for every name. */
export interface ReportedRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/**
 * Whether the authorizer already gives an account all that it needs. A role that was just applied is in force only when the API
 * server's own cache has it, a moment later, so what is missing is waited for.
 */
export function judgeAccess(account: DeployerAccount, granted: readonly ReportedRule[]): Verdict {
  for (const needed of account.rules.flatMap(permissions)) {
    if (granted.some((rule) => gives(rule, needed))) continue;
    const { verb, group, resource, name } = needed;
    const what = `${verb} ${group === '' ? '' : `${group}/`}${resource}${name === undefined ? '' : `/${name}`}`;
    return waiting('drain.access-pending', `${account.username} may not ${what} yet`);
  }
  return ready({});
}

interface Permission {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Undefined: of every name. */
  readonly name: string | undefined;
}

function permissions({ apiGroups, resources, resourceNames = [], verbs }: AccountRule): readonly Permission[] {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, name })))),
  );
}

function gives(rule: ReportedRule, { verb, group, resource, name }: Permission): boolean {
  const names = rule.resourceNames ?? [];
  return (
    holds(rule.verbs, verb) &&
    holds(rule.apiGroups, group) &&
    holds(rule.resources, resource) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

function holds(values: readonly string[] = [], value: string): boolean {
  return values.includes(value) || values.includes('*');
}
