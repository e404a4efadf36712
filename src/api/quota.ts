import { quantity } from './patterns.js';
import type { FromSchema, Schema } from './schema.js';

const amount = {
  type: 'string',
  maxLength: 64,
  pattern: quantity,
  'x-kubernetes-validations': [
    { rule: "!self.startsWith('-')", message: 'a quantity of quota must not be negative: give 0 or more' },
  ],
} as const satisfies Schema;

/** Quota of one ClusterQueue by flavor and resource: at most one entry a pair. */
export const quotaSchema = {
  type: 'array',
  maxItems: 256,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['flavor', 'resource'],
  items: {
    type: 'object',
    required: ['flavor', 'resource', 'nominalQuota'],
    properties: {
      flavor: { type: 'string', minLength: 1, maxLength: 253, description: 'Name of a ResourceFlavor.' },
      resource: { type: 'string', minLength: 1, maxLength: 316, description: 'cpu, memory, nvidia.com/gpu, …' },
      nominalQuota: { ...amount, description: 'What the queue always has.' },
      borrowingLimit: { ...amount, description: 'At most this much more, taken from the cohort. Left out: 0.' },
      lendingLimit: { ...amount, description: 'At most this much of what is idle, given to the cohort. Left out: 0.' },
    },
  },
} as const satisfies Schema;

export type Quota = FromSchema<typeof quotaSchema>;
export type QuotaEntry = Quota[number];
