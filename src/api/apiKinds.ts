import type { ApiKind } from './apiKind.js';
import { quotaRequestKind } from './quotaRequest.js';
import { tauClusterKind } from './tauCluster.js';
import { teamKind } from './team.js';
import { workspaceKind } from './workspace.js';

/** Every kind of the workspace API, each with its own CRD. */
export const apiKinds: readonly ApiKind[] = [tauClusterKind, teamKind, workspaceKind, quotaRequestKind];
