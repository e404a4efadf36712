import { type ApiKind, ageColumn } from './apiKind.js';
import type { ApiObjectOf } from './apiObject.js';
import { conditionsSchema } from './conditions.js';
import { quotaSchema } from './quota.js';
import type { FromSchema, Schema } from './schema.js';

/** Fields that we do not know belong to the team's own reconciler, which is not ours: they are kept. */
const specSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: { quota: { ...quotaSchema, description: 'What the workspaces of the team share.' } },
} as const satisfies Schema;

const statusSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    phase: { type: 'string' },
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: { ...conditionsSchema, description: 'QuotaReady: the cohort stands as the spec says.' },
  },
} as const satisfies Schema;

export const teamKind = {
  kind: 'TauTeam',
  plural: 'teams',
  singular: 'team',
  shortName: 'tt',
  scope: 'Namespaced',
  description:
    'A team: one Kueue cohort for its workspaces. Read by the workspace controller, reconciled by none here.',
  spec: specSchema,
  status: statusSchema,
  columns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }, ageColumn],
} as const satisfies ApiKind;

export type TauTeam = ApiObjectOf<'TauTeam', FromSchema<typeof specSchema>, FromSchema<typeof statusSchema>>;
