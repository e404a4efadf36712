import type { FromSchema, Schema } from './schema.js';

/** Conditions as Kubernetes has them (metav1.Condition, apimachinery 0.35): one a type. */
export const conditionsSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
    properties: {
      type: { type: 'string', maxLength: 316 },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      message: { type: 'string', maxLength: 32768 },
      lastTransitionTime: { type: 'string', format: 'date-time', description: 'When status last changed.' },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    },
  },
} as const satisfies Schema;

export type Condition = FromSchema<typeof conditionsSchema>[number];
