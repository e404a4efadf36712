import { dnsLabel, dnsLabelOrEmpty, dnsSubdomain } from './patterns.js';
import { quotaSchema } from './quota.js';
import type { FromSchema, Schema } from './schema.js';

/** CEL: the workspace leaves authorization to grants that exist already. */
const clusterWide = "has(self.authorization) && self.authorization.mode == 'cluster-wide'";

/** Every field may be changed at any time: there is no transition rule. */
export const workspaceSpecSchema = {
  type: 'object',
  properties: {
    teamRef: {
      type: 'object',
      description:
        'The TauTeam, in the same namespace, whose cohort the workspace shares. Left out: an external queue.',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 1, maxLength: 253 } },
    },
    quota: { ...quotaSchema, description: "Quota of the workspace's own ClusterQueue; used with teamRef." },
    authorization: {
      type: 'object',
      properties: {
        mode: {
          type: 'string',
          enum: ['workspace-rbac', 'cluster-wide'],
          default: 'workspace-rbac',
          description: 'cluster-wide: the workspace grants nothing, since its people have their access otherwise.',
        },
      },
    },
    principalRef: {
      type: 'object',
      description: 'Who the workspace is for, as the identity provider names them.',
      required: ['provider', 'name'],
      properties: {
        provider: { type: 'string', enum: ['entra', 'github'] },
        name: { type: 'string', minLength: 1 },
      },
    },
    kubernetesSubject: {
      type: 'object',
      description: 'The subject of every grant of this workspace.',
      required: ['kind', 'name'],
      properties: {
        kind: { type: 'string', enum: ['Group', 'User', 'ServiceAccount'] },
        name: { type: 'string', minLength: 1 },
        namespace: {
          type: 'string',
          maxLength: 63,
          pattern: dnsLabel,
          description: 'Of a ServiceAccount, in every grant alike. Left out: the target namespace.',
        },
      },
      'x-kubernetes-validations': [
        {
          rule: "!has(self.namespace) || self.kind == 'ServiceAccount'",
          message: 'kubernetesSubject.namespace is for a ServiceAccount only: remove it',
        },
      ],
    },
    role: {
      type: 'string',
      enum: ['researcher', 'tau-researcher-v1'],
      description: 'Both mean ClusterRole tau-researcher-v1.',
    },
    target: {
      type: 'object',
      properties: {
        namespace: {
          type: 'string',
          maxLength: 63,
          pattern: dnsLabelOrEmpty,
          description: "Where the workspace's work runs. Empty or left out: the workspace's own name.",
        },
        createNamespace: {
          type: 'boolean',
          default: false,
          description: 'Make the namespace when it is missing. A namespace is never deleted.',
        },
      },
    },
    queue: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      description: 'Name of the LocalQueue. Left out: the default queue of TauCluster cluster.',
    },
    defaults: {
      type: 'object',
      properties: {
        outputRoot: { type: 'string', minLength: 1, description: 'Written, trimmed, to the namespace.' },
        priority: { type: 'string', enum: ['default', 'priority', 'normal'], description: 'Read by clients only.' },
        ttlSecondsAfterFinished: {
          type: 'integer',
          format: 'int64',
          nullable: true,
          minimum: 600,
          maximum: 2147483647,
          description: 'Read by clients only.',
        },
      },
    },
    workloadIdentity: {
      type: 'object',
      description: 'The ServiceAccount that the work runs as.',
      required: ['serviceAccountName', 'clientId'],
      properties: {
        serviceAccountName: { type: 'string', minLength: 1, maxLength: 253, pattern: dnsSubdomain },
        clientId: { type: 'string', minLength: 1 },
      },
    },
  },
  'x-kubernetes-validations': [
    {
      rule: `!(${clusterWide}) || !(has(self.principalRef) || has(self.kubernetesSubject) || has(self.role))`,
      message: 'authorization.mode cluster-wide grants nothing: remove principalRef, kubernetesSubject and role',
    },
    {
      rule: `(${clusterWide}) || (has(self.principalRef) && has(self.kubernetesSubject) && has(self.role))`,
      message: 'authorization.mode workspace-rbac (the default) needs principalRef, kubernetesSubject and role',
    },
  ],
} as const satisfies Schema;

export type WorkspaceSpec = FromSchema<typeof workspaceSpecSchema>;
