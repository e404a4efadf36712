import type { AccessRow } from '../../api/access/mergedRules.js';
import type { PlannedObject } from '../plannedObject.js';

/** What a step reads or writes; in the stack's namespace unless it is of the whole cluster. */
export interface GateRow extends AccessRow {
  readonly scope?: 'cluster';
}

/** What the deployer's account is confined to. */
export interface Confined {
  /** The inventory. */
  readonly objects: readonly PlannedObject[];
  /** What the steps between the phases read and write beside it. */
  readonly gate: readonly GateRow[];
  /** Identities of an earlier inventory that still exist: they may be deleted, and nothing else. */
  readonly retired: readonly string[];
}
