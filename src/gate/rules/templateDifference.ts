import { withoutAdmitted } from '../model/admitted.js';
import { jsonDifference } from '../model/jsonDifference.js';
import { withoutServerDefaults } from '../model/podDefaults.js';
import type { PodTemplate } from '../model/podTemplate.js';

/** Names of labels and annotations that somebody named may add, whatever their value. */
export interface Additions {
  readonly labels: RegExp;
  readonly annotations: RegExp;
}

const nothing = /^$/;

/** Of a Deployment: the run's mark. */
export const deploymentAdditions: Additions = { labels: nothing, annotations: /^raygate\/restart$/ };

/** Of its ReplicaSets: the controller's hash. */
export const replicaSetAdditions: Additions = { labels: /^pod-template-hash$/, annotations: /^raygate\/restart$/ };

/** Of a pod: the binding's copy of the node's place (PodTopologyLabels, 1.35), and the notes of two usual CNIs. */
const podAdditions: Additions = {
  labels: /^topology\.kubernetes\.io\/(zone|region)$/,
  annotations: /^(cni\.projectcalico\.org|k8s\.v1\.cni\.cncf\.io)\//,
};

/** Of a Job's pod: the labels by which its controller finds it. */
export const jobPodAdditions: Additions = {
  labels: /^((batch\.kubernetes\.io\/)?(controller-uid|job-name))$/,
  annotations: nothing,
};

export const noAdditions: Additions = { labels: nothing, annotations: nothing };

/**
 * Where a live template differs from the planned one, as a clause; undefined when it is the planned one. Everything counts but
 * what the server fills in by itself and the additions named.
 */
export function templateDifference(live: PodTemplate, planned: PodTemplate, additions: Additions): string | undefined {
  return (
    mapDifference(live.labels, planned.labels, additions.labels, 'metadata.labels') ??
    mapDifference(live.annotations, planned.annotations, additions.annotations, 'metadata.annotations') ??
    specDifference(withoutServerDefaults(live.spec), withoutServerDefaults(planned.spec))
  );
}

/** Like {@link templateDifference} for a pod, which admission and the scheduler have added to as well. */
export function podDifference(live: PodTemplate, planned: PodTemplate, additions: Additions): string | undefined {
  const both = (own: RegExp, more: RegExp) => new RegExp(`(${own.source})|(${more.source})`);
  const [labels, annotations] = [
    both(podAdditions.labels, additions.labels),
    both(podAdditions.annotations, additions.annotations),
  ];
  return (
    mapDifference(live.labels, planned.labels, labels, 'metadata.labels') ??
    mapDifference(live.annotations, planned.annotations, annotations, 'metadata.annotations') ??
    specDifference(podSpec(live), podSpec(planned))
  );
}

function podSpec({ spec }: PodTemplate) {
  return withoutAdmitted(withoutServerDefaults(spec));
}

function mapDifference(
  live: Readonly<Record<string, string>>,
  planned: Readonly<Record<string, string>>,
  additions: RegExp,
  path: string,
): string | undefined {
  for (const key of [...new Set([...Object.keys(planned), ...Object.keys(live)])].sort()) {
    if (live[key] === planned[key] || (planned[key] === undefined && additions.test(key))) continue;
    return clause(`${path}[${key}]`, live[key], planned[key]);
  }
  return undefined;
}

function specDifference(live: unknown, planned: unknown): string | undefined {
  const found = jsonDifference(live, planned, 'spec');
  return found && clause(found.path, found.is, found.should);
}

function clause(path: string, is: unknown, should: unknown): string {
  return `${path}: ${text(is)} instead of ${text(should)}`;
}

/** Characters up to which a value is shown. */
const shownCharacters = 200;

/** A value whole, or its size: a value that was cut could leave a part of a secret that nobody recognises any more. */
function text(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  if (json.length <= shownCharacters) return json;
  const what = typeof value === 'string' ? 'a text' : Array.isArray(value) ? 'a list' : 'an object';
  return `${what} of ${json.length} characters`;
}
