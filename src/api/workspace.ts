import { type ApiKind, ageColumn } from './apiKind.js';
import type { ApiObjectOf } from './apiObject.js';
import { type WorkspaceSpec, workspaceSpecSchema } from './workspaceSpec.js';
import { type WorkspaceStatus, workspaceStatusSchema } from './workspaceStatus.js';

export const workspaceKind = {
  kind: 'TauWorkspace',
  plural: 'workspaces',
  singular: 'workspace',
  shortName: 'tw',
  scope: 'Namespaced',
  description: 'A place for the work of one group of people: a namespace, its queue, its access and its identity.',
  spec: workspaceSpecSchema,
  status: workspaceStatusSchema,
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Namespace', type: 'string', jsonPath: '.status.target.resolvedNamespace' },
    { name: 'Queue', type: 'string', jsonPath: '.spec.queue' },
    ageColumn,
  ],
  validations: [
    {
      // Its name is the value of label tau.azure.com/workspace on all that it owns.
      rule: 'size(self.metadata.name) <= 63',
      message: 'the name of a TauWorkspace is also a label value: at most 63 characters',
    },
  ],
} as const satisfies ApiKind;

export type TauWorkspace = ApiObjectOf<'TauWorkspace', WorkspaceSpec, WorkspaceStatus>;
