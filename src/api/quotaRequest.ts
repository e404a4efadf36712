import { type ApiKind, ageColumn } from './apiKind.js';
import type { ApiObjectOf } from './apiObject.js';
import { conditionsSchema } from './conditions.js';
import type { FromSchema, Schema } from './schema.js';

const count = { type: 'integer', format: 'int64', minimum: 0 } as const satisfies Schema;

/** A researcher writes it, people decide on it: nothing here acts on one. */
const specSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  required: ['workspace', 'resource', 'requested', 'reason'],
  properties: {
    workspace: { type: 'string', minLength: 1, maxLength: 63, description: 'Name of the TauWorkspace.' },
    resource: { type: 'string', minLength: 1, maxLength: 316 },
    current: count,
    requested: { ...count, minimum: 1 },
    duration: { type: 'string', minLength: 1, maxLength: 64 },
    reason: { type: 'string', minLength: 1, maxLength: 4096 },
    mutationMode: { type: 'string', minLength: 1, maxLength: 64, description: 'ReportOnly: nothing is changed.' },
  },
} as const satisfies Schema;

const statusSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    phase: { type: 'string' },
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: conditionsSchema,
  },
} as const satisfies Schema;

export const quotaRequestKind = {
  kind: 'TauQuotaRequest',
  plural: 'quotarequests',
  singular: 'quotarequest',
  shortName: 'tqr',
  scope: 'Namespaced',
  description: 'A request for more quota in a workspace.',
  spec: specSchema,
  status: statusSchema,
  columns: [
    { name: 'Workspace', type: 'string', jsonPath: '.spec.workspace' },
    { name: 'Resource', type: 'string', jsonPath: '.spec.resource' },
    { name: 'Requested', type: 'integer', jsonPath: '.spec.requested' },
    ageColumn,
  ],
} as const satisfies ApiKind;

export type TauQuotaRequest = ApiObjectOf<
  'TauQuotaRequest',
  FromSchema<typeof specSchema>,
  FromSchema<typeof statusSchema>
>;
