import { type ApiKind, ageColumn } from './apiKind.js';
import type { ApiObjectOf } from './apiObject.js';
import { conditionsSchema } from './conditions.js';
import { clusterObjectName } from './names.js';
import type { FromSchema, Schema } from './schema.js';

/** Only the default queue is read here; what else an installation keeps in it stays. */
const specSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    workspaceDefaults: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        defaultQueue: {
          type: 'string',
          minLength: 1,
          maxLength: 253,
          default: 'jobqueue',
          description: 'LocalQueue of workspaces that name none.',
        },
      },
    },
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

export const tauClusterKind = {
  kind: 'TauCluster',
  plural: 'clusters',
  singular: 'cluster',
  shortName: 'tc',
  scope: 'Cluster',
  description: 'What holds for all workspaces of the cluster. There is one, named cluster.',
  spec: specSchema,
  status: statusSchema,
  columns: [{ name: 'Queue', type: 'string', jsonPath: '.spec.workspaceDefaults.defaultQueue' }, ageColumn],
  validations: [
    {
      rule: `self.metadata.name == '${clusterObjectName}'`,
      message: `there is one TauCluster: name it ${clusterObjectName}`,
    },
  ],
} as const satisfies ApiKind;

export type TauCluster = ApiObjectOf<'TauCluster', FromSchema<typeof specSchema>, FromSchema<typeof statusSchema>>;
