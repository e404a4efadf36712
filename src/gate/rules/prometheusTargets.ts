import { oneLine } from '../../core/boundedText.js';
import { failed, ready, type Unready, type Verdict, waiting } from '../../core/verdict.js';
import { headJob, removedJob, type Sample, type ScrapeTarget, webJob, workerJob } from '../model/prometheus.js';

export interface LivePod {
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
}

export interface TargetExpectation {
  /** Of the proven Ray. */
  readonly heads: number;
  readonly workers: readonly LivePod[];
  /** Where a worker's metrics are. */
  readonly workerPort: number;
  /** By Prometheus's own clock, in milliseconds since 1970: an older scrape says nothing of this run. */
  readonly sinceMs: number;
}

export interface TargetFacts {
  /** Targets by job. */
  readonly counts: Readonly<Record<string, number>>;
  readonly removedPool: 'absent';
  readonly targets: readonly ScrapeTarget[];
}

const errorCharacters = 500;
const detailCharacters = 4_000;
/** What Prometheus 2.53 says of an answer that is no metrics: the target will not come to speak them by itself. */
const unparsable = /while parsing|unsupported Content-Type|invalid metric type/i;

/**
 * Whether Prometheus scrapes exactly the planned targets, each of them up and since the given moment, the workers' under the UIDs
 * and addresses of the live pods, and has stored what it scraped. Targets of other jobs are not looked at.
 */
export function judgeTargets(
  all: readonly ScrapeTarget[],
  up: readonly Sample[],
  expected: TargetExpectation,
): Verdict<TargetFacts> {
  const removed = all.find((target) => target.job === removedJob);
  if (removed !== undefined) {
    const detail = `Prometheus scrapes ${removed.instance} in the removed job ${removedJob}: task managers expose no HTTP.`;
    return failed('prometheus.removed-pool', detail);
  }
  if (up.some((sample) => sample.labels['job'] === removedJob)) {
    return waiting('prometheus.removed-series', `series of the removed job ${removedJob} are still there`);
  }
  const counts: Readonly<Record<string, number>> = {
    [webJob]: 1,
    [headJob]: expected.heads,
    [workerJob]: expected.workers.length,
  };
  const targets = all.filter((target) => target.job in counts);
  const pending: Unready[] = [];
  for (const target of targets) {
    const problem = targetProblem(target, expected) ?? sampleProblem(target, up);
    if (problem?.kind === 'failed') return problem;
    if (problem !== undefined) pending.push(problem);
  }
  // Counts only once each target is well: a target that is on its way in or out explains them.
  if (pending.length === 0) pending.push(...countProblems(targets, counts));
  const [first] = pending;
  if (first === undefined) return ready({ counts, removedPool: 'absent', targets });
  return waiting(first.code, oneLine(pending.map((problem) => problem.detail).join('; '), detailCharacters));
}

function targetProblem(target: ScrapeTarget, { workers, workerPort, sinceMs }: TargetExpectation): Unready | undefined {
  const name = `${target.job} ${target.instance}`;
  const error = oneLine(target.lastError, errorCharacters);
  if (target.job === workerJob) {
    const pod = workers.find((one) => one.uid === target.podUid);
    if (pod === undefined) {
      const of = target.podUid === '' ? 'no pod' : `pod ${target.pod} (${target.podUid}), which is no live worker`;
      return waiting('prometheus.stale-target', `${name} is of ${of}`);
    }
    if (target.pod !== pod.name) {
      return failed('prometheus.pod-label', `Target ${name} is labelled pod="${target.pod}", but is pod ${pod.name}.`);
    }
    if (target.instance !== `${pod.ip}:${workerPort}`) {
      return waiting('prometheus.address', `${name} is pod ${pod.name}, which is at ${pod.ip}:${workerPort}`);
    }
  }
  if (target.health === 'down' && unparsable.test(error)) {
    return failed('prometheus.unparsable', `Target ${name} answers with something that is no metrics: ${error}.`);
  }
  if (target.health !== 'up') {
    return waiting('prometheus.unhealthy', `${name} is ${target.health}${error === '' ? '' : `: ${error}`}`);
  }
  if (target.lastScrapeMs <= sinceMs) {
    const last = target.lastScrapeMs <= 0 ? 'never' : `last at ${new Date(target.lastScrapeMs).toISOString()}`;
    return waiting('prometheus.not-fresh', `${name} was scraped ${last}`);
  }
  return undefined;
}

function sampleProblem(target: ScrapeTarget, up: readonly Sample[]): Unready | undefined {
  const { job, instance } = target;
  const sample = up.find(({ labels }) => labels['job'] === job && labels['instance'] === instance);
  if (sample?.value === '1') return undefined;
  const value = sample === undefined ? 'not stored' : sample.value;
  return waiting('prometheus.up', `up of ${job} ${instance} is ${value}`);
}

function countProblems(targets: readonly ScrapeTarget[], counts: Readonly<Record<string, number>>): readonly Unready[] {
  return Object.entries(counts).flatMap(([job, wanted]) => {
    const found = targets.filter((target) => target.job === job);
    // Two targets of one pod would hide a pod without any.
    const distinct = new Set(found.map((target) => target.instance)).size;
    if (found.length === wanted && distinct === wanted) return [];
    return [waiting('prometheus.count', `${job} has ${found.length} targets at ${distinct} addresses, not ${wanted}`)];
  });
}
