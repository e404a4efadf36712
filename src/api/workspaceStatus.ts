import { conditionsSchema } from './conditions.js';
import type { FromSchema, Schema } from './schema.js';

/** At most so many blockers are listed in a status; `blockerCount` says how many there are. */
export const listedBlockers = 32;

const text = { type: 'string', maxLength: 1024 } as const satisfies Schema;

const blockerSchema = {
  type: 'object',
  required: ['kind', 'name', 'class', 'release'],
  properties: {
    apiVersion: text,
    kind: text,
    namespace: text,
    name: text,
    uid: text,
    queue: { ...text, description: 'LocalQueue that it names.' },
    clusterQueue: { ...text, description: 'ClusterQueue that it reaches through it, or is admitted to.' },
    labelKeys: {
      type: 'array',
      maxItems: 16,
      items: text,
      'x-kubernetes-list-type': 'set',
      description: 'Labels of the namespace that its route needs.',
    },
    class: { type: 'string', enum: ['running', 'pending', 'needs-operator', 'unreadable'] },
    release: { ...text, description: 'What would release it.' },
  },
} as const satisfies Schema;

/**
 * `Draining` is one of the conditions. `retainedNamespaces`, `blockers`, `blockerCount`, `lastDrainEvaluation` and
 * `ownedClusterQueue` are ours and only add to what other readers of this API know.
 */
export const workspaceStatusSchema = {
  type: 'object',
  properties: {
    phase: { type: 'string', enum: ['Pending', 'Ready', 'Degraded'] },
    observedGeneration: { type: 'integer', format: 'int64' },
    target: {
      type: 'object',
      properties: {
        resolvedNamespace: {
          type: 'string',
          description: 'The namespace whose continuity is proven; while a retarget drains, the one that is left.',
        },
      },
    },
    queue: {
      type: 'object',
      properties: {
        localQueue: { type: 'string' },
        clusterQueue: { type: 'string' },
        clusterQueueUID: {
          type: 'string',
          description: 'Of the ClusterQueue that was last seen ready; kept on failure.',
        },
      },
    },
    ownedClusterQueue: {
      type: 'object',
      description: 'The ClusterQueue that this workspace made: compared by UID before it is deleted.',
      required: ['name', 'uid'],
      properties: { name: { type: 'string' }, uid: { type: 'string' } },
    },
    retainedNamespaces: {
      type: 'array',
      maxItems: 64,
      description: 'Namespaces that the workspace left and that still hold accepted work.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name', 'since'],
        properties: {
          name: { type: 'string', maxLength: 63 },
          uid: { type: 'string', description: 'Of the namespace that was left; another UID is another namespace.' },
          since: { type: 'string', format: 'date-time' },
        },
      },
    },
    blockers: {
      type: 'array',
      maxItems: listedBlockers,
      description: 'What keeps something from being released: the first of them.',
      'x-kubernetes-list-type': 'atomic',
      items: blockerSchema,
    },
    blockerCount: { type: 'integer', format: 'int64', minimum: 0 },
    lastDrainEvaluation: { type: 'string', format: 'date-time' },
    conditions: conditionsSchema,
  },
} as const satisfies Schema;

export type WorkspaceStatus = FromSchema<typeof workspaceStatusSchema>;
export type Blocker = FromSchema<typeof blockerSchema>;

/** The conditions of a TauWorkspace. */
export const workspaceConditionTypes = [
  'RBACReady',
  'QueueReady',
  'WorkloadIdentityReady',
  'DriftDetected',
  'Draining',
] as const;
export type WorkspaceConditionType = (typeof workspaceConditionTypes)[number];

/** Reasons of condition `Draining`. */
export const drainingReasons = [
  'AcceptedWork',
  'RouteUnreadable',
  'QueueIdentityChanged',
  'IdentityRevocationPending',
  'QueueFinalizing',
  'Drained',
] as const;
export type DrainingReason = (typeof drainingReasons)[number];
