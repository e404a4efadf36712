import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import type { PodContract } from '../model/contracts.js';
import type { PodIdentity } from '../model/identities.js';
import type { JobFacts } from '../model/jobFacts.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import type { PodTemplate } from '../model/podTemplate.js';
import { judgePodContract, type PodContractOptions, specDifference } from './podContract.js';
import { podFault, podProgress } from './podFault.js';
import { jobPodAdditions, podDifference } from './templateDifference.js';

export interface SetupReading {
  readonly job: JobFacts | undefined;
  /** All pods of the namespace. */
  readonly pods: readonly PodFacts[];
}

export interface SetupExpectation {
  readonly jobName: string;
  /** Of the Job that this run created. */
  readonly jobUid: string;
  readonly containerName: string;
  readonly pod: PodContract;
  readonly template: PodTemplate;
  readonly digests: NonNullable<PodContractOptions['digests']>;
}

export interface SetupFacts {
  readonly jobUid: string;
  readonly pod: PodIdentity;
  /** What the container wrote as its last words. */
  readonly terminationMessage: string;
}

/** Whether this run's setup Job has done its work, in a pod of its own and with the right images. */
export function judgeSetup({ job, pods }: SetupReading, expected: SetupExpectation): Verdict<SetupFacts> {
  if (job === undefined) return waiting('setup.job-absent', `Job ${expected.jobName} is not there yet`);
  if (job.uid !== expected.jobUid) {
    const detail = `Job ${job.name} has UID ${job.uid}, not ${expected.jobUid} of this run: somebody replaced it.`;
    return failed('setup.job-replaced', detail);
  }
  const named = pods.filter((pod) => pod.labels['job-name'] === expected.jobName);
  const own = named.filter((pod) => controllerOf(pod.owners)?.uid === job.uid);
  for (const pod of own) {
    const fault = podFault(pod);
    if (fault) return failed(`setup.${fault.code}`, setupCause(pod, expected.containerName) ?? fault.detail);
  }
  if (job.failure !== undefined) {
    const cause = own.map((pod) => setupCause(pod, expected.containerName)).find((text) => text !== undefined);
    return failed('setup.job-failed', `Job ${job.name} failed (${job.failure})${cause ? `: ${cause}` : ''}`);
  }
  const foreign = named.find((pod) => !own.includes(pod));
  if (foreign && !foreign.terminating) {
    return failed(
      'setup.foreign-pod',
      `Pod ${foreign.name} carries the Job's label but is not owned by it: delete that pod.`,
    );
  }
  if (foreign) return waiting('setup.old-pod', `pod ${foreign.name} of an earlier Job is still terminating`);
  const pod = own[0];
  if (pod === undefined) return waiting('setup.no-pod', `Job ${job.name} has no pod yet`);
  if (own.length > 1) {
    return failed(
      'setup.pod-count',
      `Job ${job.name} has ${own.length} pods (${own.map((p) => p.name).join(', ')}), not one.`,
    );
  }
  const images = specDifference(pod, expected.pod);
  if (images !== undefined) return failed('setup.pod-images', `pod ${pod.name} has ${images}`);
  const drift = podDifference(pod.whole, expected.template, jobPodAdditions);
  if (drift !== undefined) return failed('setup.pod-spec', `Pod ${pod.name} is not the planned one at ${drift}.`);
  if (!job.complete) return waiting('setup.running', podProgress(pod));
  const contract = judgePodContract(pod, expected.pod, { layer: 'setup', digests: expected.digests });
  if (contract.kind !== 'ready') return contract;
  const ended = pod.statuses.find((status) => status.name === expected.containerName)?.terminated;
  if (ended === undefined || ended.exitCode !== 0) {
    return waiting('setup.no-termination', `container ${expected.containerName} of ${pod.name} has no exit status yet`);
  }
  return ready({ jobUid: job.uid, pod: contract.facts, terminationMessage: ended.message });
}

/** The `step` and `error` that the container left as its last words, when it failed. */
function setupCause(pod: PodFacts, containerName: string): string | undefined {
  const status = pod.statuses.find((candidate) => candidate.name === containerName);
  const ended = [status?.terminated, status?.lastTerminated].find((t) => t !== undefined && t.exitCode !== 0);
  if (ended === undefined) return undefined;
  try {
    const { step, error } = JSON.parse(ended.message) as { step?: unknown; error?: unknown };
    if (typeof step === 'string' && typeof error === 'string') return `step ${step}: ${error}`;
  } catch {
    // Not the structured form: an earlier crash, or text of the runtime.
  }
  return `container ${containerName} of ${pod.name} ended with exit code ${ended.exitCode} ${ended.message}`.trim();
}
