import { canonicalJson } from '../model/canonicalJson.js';
import { webDeploymentName } from '../model/kinds.js';
import { headJob, workerJob } from '../model/prometheus.js';
import { smokeQueues } from '../model/smokeTask.js';
import { podsDifference } from '../rules/podsDifference.js';
import { type Agreement, disagreement } from './agreement.js';

/** On what the layers that ask those who run were told by them. */
export const proofAgreements: readonly Agreement[] = [
  ({ plan, observations }) => {
    const planned = plan.release.archiveUri;
    const made = observations.setup.facts.result.archive.uri;
    const used = observations['api-smoke'].facts.tasks.filter(({ queue }) => onRay.has(queue));
    return [made, ...used.map(({ workingDir }) => workingDir)].flatMap((uri) =>
      uri === planned ? [] : disagreement('archive', `the archive ${uri} was used, but the plan's is ${planned}`),
    );
  },
  ({ observations }) => {
    const made = observations.setup.facts.result.archive;
    const { archive: read, nodes } = observations['runtime-env'].facts;
    if (canonicalJson(read) !== canonicalJson(made))
      return disagreement(
        'node-archive',
        `Ray nodes were asked for ${canonicalJson(read)}, setup made ${canonicalJson(made)}`,
      );
    return nodes.flatMap(({ pod, report }) =>
      report.sha256 === made.sha256 && report.bytes === made.bytes && report.members === made.members
        ? []
        : disagreement(
            'node-archive',
            `pod ${pod} holds ${report.bytes} bytes in ${report.members} members with ${report.sha256}, setup made ${made.bytes} in ${made.members} with ${made.sha256}`,
          ),
    );
  },
  ({ observations }) => {
    const asked = observations['runtime-env'].facts.nodes.map(({ pod, uid }) => `${pod} (${uid})`);
    const proven = observations.ray.facts.pods.map(({ name, uid }) => `${name} (${uid})`);
    return sameMembers('node-pods', 'the archive was read in', asked, proven);
  },
  ({ observations }) => {
    const { pods, restarts } = observations.probes.facts;
    const { deployments } = observations['app-convergence'].facts;
    const proven = deployments.find(({ name }) => name === webDeploymentName)?.pods ?? [];
    const difference = podsDifference(proven, pods);
    if (difference !== undefined) return disagreement('web-pods', `since app-convergence, ${difference}`);
    const sum = pods.reduce((all, one) => all + one.restarts, 0);
    return sum === restarts
      ? []
      : disagreement('web-restarts', `web's pods restarted ${sum} times, but the probes counted ${restarts}`);
  },
  ({ observations }) => {
    const { deployments } = observations['app-convergence'].facts;
    const managers = deployments.filter(({ name }) => name !== webDeploymentName).flatMap(({ pods }) => pods);
    const names = managers.map(({ name }) => name);
    return observations['api-smoke'].facts.tasks.flatMap(({ id, queue, pod }) =>
      names.includes(pod)
        ? []
        : disagreement(
            'task-pod',
            `task ${id} of queue ${queue} was run by ${pod}, which is no pod of a proven manager`,
          ),
    );
  },
  ({ observations }) => {
    const { counts, sinceMs, targets } = observations.prometheus.facts;
    const miscounted = Object.entries(counts).flatMap(([job, count]) => {
      const found = targets.filter((target) => target.job === job).length;
      return found === count
        ? []
        : disagreement('target-count', `${job} has ${found} targets, but counted are ${count}`);
    });
    const stale = targets.filter(({ lastScrapeMs }) => lastScrapeMs <= sinceMs);
    return [
      ...miscounted,
      ...stale.flatMap(({ job, instance }) =>
        disagreement('target-stale', `${job} ${instance} was not scraped since the layer began`),
      ),
    ];
  },
  ({ observations }) => {
    const { heads, pods } = observations.ray.facts;
    const { counts, targets } = observations.prometheus.facts;
    const workers = pods.filter(({ role }) => role !== 'head');
    const scraped = targets.filter(({ job }) => job === workerJob);
    const found = sameMembers(
      'target-pods',
      'Prometheus scrapes the Ray workers',
      scraped.map(({ pod, podUid }) => `${pod} (${podUid})`),
      workers.map(({ name, uid }) => `${name} (${uid})`),
    );
    return counts[headJob] === heads
      ? found
      : [
          ...found,
          ...disagreement('target-pods', `Prometheus scrapes ${counts[headJob] ?? 0} Ray heads, not ${heads}`),
        ];
  },
];

const onRay: ReadonlySet<string> = new Set(smokeQueues.filter((one) => one.onRay).map(({ queue }) => queue));

function sameMembers(code: string, what: string, seen: readonly string[], proven: readonly string[]) {
  const [a, b] = [[...seen].sort().join(', '), [...proven].sort().join(', ')];
  return a === b ? [] : disagreement(code, `${what} ${a || 'none'}, but proven are ${b || 'none'}`);
}
