import type { AccessRole, DeclaredAccess } from './declaredAccess.js';
import { mergedRules } from './mergedRules.js';
import type { PolicyRule } from './policyRule.js';

/** The rules of one role: what its rows ask for, and nothing else. */
export function rulesOf(role: AccessRole, rows: readonly DeclaredAccess[]): readonly PolicyRule[] {
  return mergedRules(rows.filter((row) => row.role === role));
}
