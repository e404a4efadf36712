import { optionalGroups } from '../../api/access/optionalGroups.js';
import { appWrapper, sparkApplication } from './applications.js';
import { cronJob, job } from './batch.js';
import { workload } from './kueue.js';
import { pod } from './pod.js';
import { rayCluster, rayJob, rayService } from './ray.js';
import { deployment, leaderWorkerSet, statefulSet } from './serving.js';
import type { SourceKind } from './sourceKind.js';
import { jobSet, kubeflowJobs, trainJob } from './training.js';

/** Every kind that work comes from. A kind is added by its row here and its read in `declaredAccess`; the order is that of reports. */
export const sourceKinds: readonly SourceKind[] = [
  job,
  rayJob,
  rayService,
  rayCluster,
  jobSet,
  trainJob,
  ...kubeflowJobs,
  sparkApplication,
  appWrapper,
  cronJob,
  deployment,
  statefulSet,
  leaderWorkerSet,
  pod,
  workload,
];

interface Known {
  readonly row: SourceKind;
  /** Place in the table. */
  readonly rank: number;
}

const ranks = new Map(sourceKinds.map((row, rank) => [row, rank]));
const byKind = new Map<string, readonly Known[]>();
for (const [rank, row] of sourceKinds.entries()) byKind.set(row.kind, [...(byKind.get(row.kind) ?? []), { row, rank }]);

/** The row of a kind; the version does not matter. Undefined for a kind that the table lacks. Called for each owner of each Workload. */
export function sourceKindOf(apiVersion: string, kind: string): Known | undefined {
  return byKind.get(kind)?.find(({ row }) => isOfGroup(apiVersion, row.group));
}

function isOfGroup(apiVersion: string, group: string): boolean {
  if (group === '') return !apiVersion.includes('/');
  return apiVersion.length > group.length && apiVersion.startsWith(group) && apiVersion[group.length] === '/';
}

/** Place in the table; last for a row that is not in it. */
export function rankOf(row: SourceKind): number {
  return ranks.get(row) ?? sourceKinds.length;
}

/** Whether a cluster may lack the kind. */
export function isOptional(row: SourceKind): boolean {
  return Object.hasOwn(optionalGroups, row.group);
}
