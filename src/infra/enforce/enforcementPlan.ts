import type { PolicyRule } from '../../api/access/policyRule.js';
import { synthEnforcement } from '../charts/enforcement.js';
import type { PlannedObject } from '../plannedObject.js';
import type { GateRow } from './confined.js';
import { deployerName, deployerUsername, inventoryAnnotation } from './deployer.js';
import { deployerRules } from './deployerRules.js';

/** Whom a deployment acts as, and how it is confined to its inventory once it is known what an earlier one left. */
export interface EnforcementPlan {
  readonly username: string;
  readonly role: { readonly name: string; readonly annotation: string };
  confine(retired: readonly string[]): {
    readonly objects: readonly PlannedObject[];
    readonly rules: readonly PolicyRule[];
  };
}

export function enforcementPlan(objects: readonly PlannedObject[], gate: readonly GateRow[]): EnforcementPlan {
  return {
    username: deployerUsername,
    role: { name: deployerName, annotation: inventoryAnnotation },
    confine(retired) {
      const confined = { objects, gate, retired };
      const { namespaced, cluster } = deployerRules(confined);
      return { objects: synthEnforcement(confined), rules: [...namespaced, ...cluster] };
    },
  };
}
