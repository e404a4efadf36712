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

const byName = new Map(sourceKinds.map((row, rank) => [`${row.group}/${row.kind}`, { row, rank }]));

/** The row of a kind, and its place in the table; the version does not matter. Undefined for a kind that the table lacks. */
export function sourceKindOf(apiVersion: string, kind: string) {
  const slash = apiVersion.indexOf('/');
  return byName.get(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`);
}

/** Place in the table. */
export function rankOf(row: SourceKind): number {
  return byName.get(`${row.group}/${row.kind}`)?.rank ?? sourceKinds.length;
}

/** Whether a cluster may lack the kind. */
export function isOptional(row: SourceKind): boolean {
  return Object.hasOwn(optionalGroups, row.group);
}
