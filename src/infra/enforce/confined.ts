import type { AccessRow } from '../../api/access/mergedRules.js';
import type { PlannedObject } from '../plannedObject.js';

/** What the deployer's account is confined to. */
export interface Confined {
  /** The inventory. */
  readonly objects: readonly PlannedObject[];
  /** What the steps between the phases read and write beside it. */
  readonly gate: readonly AccessRow[];
  /** Identities of an earlier inventory that still exist: they may be deleted, and nothing else. */
  readonly retired: readonly string[];
}
