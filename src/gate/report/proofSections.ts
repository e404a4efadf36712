import type { EvidenceDocument } from './evidence.js';
import type { Markup } from './markup.js';
import { code, section, table } from './pageTable.js';

/** What was asked of those who ran, and what they answered. */
export function proofs(document: EvidenceDocument): Markup {
  return section('proofs', 'What they answered', [
    nodes(document),
    requests(document),
    tasks(document),
    targets(document),
  ]);
}

function nodes({ observations }: EvidenceDocument): Markup {
  return table({
    caption: 'The RuntimeEnv archive as each Ray node reads it, and the django_ray that a task there gets from it.',
    columns: ['Ray pod', 'Bytes', 'Members', 'SHA-256', 'From the archive', 'Without it'],
    numbers: ['Bytes', 'Members'],
    rows: observations['runtime-env'].facts.nodes.map(({ pod, report }) => [
      code(pod),
      report.bytes,
      report.members,
      code(report.sha256),
      code(report.expandedDjangoRay),
      report.bareDjangoRay ?? 'absent',
    ]),
  });
}

function requests({ observations }: EvidenceDocument): Markup {
  return table({
    caption: 'What web answered to each request of the probes.',
    columns: ['Request', 'By', 'Host', 'Token', 'Status'],
    numbers: ['Status'],
    rows: observations.probes.facts.requests.map(({ via, request, host, authorization, status }) => [
      code(request),
      via,
      code(host),
      authorization,
      status,
    ]),
  });
}

function tasks({ observations }: EvidenceDocument): Markup {
  return table({
    caption: 'The task that went through each queue, and the manager that ran it.',
    columns: ['Queue', 'Task', 'State', 'Result', 'Attempt', 'Manager'],
    numbers: ['Result', 'Attempt'],
    rows: observations['api-smoke'].facts.tasks.map(({ queue, id, state, result, attempt, pod }) => [
      queue,
      code(id),
      state,
      result,
      attempt,
      code(pod),
    ]),
  });
}

function targets({ observations }: EvidenceDocument): Markup {
  const { version, targets: all } = observations.prometheus.facts;
  return table({
    caption: `What Prometheus ${version} scraped since its layer began.`,
    columns: ['Job', 'Target', 'Pod', 'UID'],
    rows: all.map(({ job, instance, pod, podUid }) => [job, code(instance), code(pod), code(podUid)]),
  });
}
