import { failed, ready, type Unready, type Verdict } from '../../core/verdict.js';
import type { SetupResult } from '../model/identities.js';
import { type NodeAnswer, type NodeReport, type RuntimeEnvFacts, readNodeReport } from '../model/runtimeEnv.js';

const errorCharacters = 500;

/**
 * Whether every Ray node holds the archive that this run's setup made, byte for byte, can start a task from it, and knows
 * `django_ray` from nowhere else. Each failure names the pod.
 */
export function judgeRuntimeEnv(
  answers: readonly NodeAnswer[],
  archive: SetupResult['archive'],
): Verdict<RuntimeEnvFacts> {
  if (answers.length === 0) return failed('runtime-env.no-pods', 'There is no Ray pod whose archive could be read.');
  const nodes: { pod: string; uid: string; report: NodeReport }[] = [];
  for (const answer of answers) {
    const { pod, uid } = answer;
    const report = readNodeReport(answer.stdout);
    if (report === undefined || answer.exitCode !== 0) {
      const said = answer.stderr.trim().slice(-errorCharacters) || 'it said nothing';
      return failed('runtime-env.no-report', `The probe in pod ${pod} ended with ${answer.exitCode}: ${said}`);
    }
    const fault = nodeFault(pod, report, archive);
    if (fault !== undefined) return fault;
    nodes.push({ pod, uid, report });
  }
  nodes.sort((a, b) => (a.pod < b.pod ? -1 : 1));
  return ready({ archive, bareDjangoRay: 'absent', nodes });
}

function nodeFault(pod: string, report: NodeReport, archive: SetupResult['archive']): Unready | undefined {
  const fault = (code: string, detail: string) => failed(`runtime-env.${code}`, detail);
  const { bytes, sha256, members, error } = report;
  if (report.bareDjangoRay !== undefined) {
    return fault(
      'django-ray-present',
      `Pod ${pod} can import django_ray without the archive (${report.bareDjangoRay}): tasks there need not run what was committed.`,
    );
  }
  if (bytes === undefined || sha256 === '') {
    return fault('archive-unreadable', `Pod ${pod} cannot read ${archive.path}: ${error || 'it says no reason'}.`);
  }
  if (bytes < 1 || !/^[0-9a-f]{64}$/.test(sha256)) {
    return fault('archive-facts', `Pod ${pod} gave ${bytes} bytes and the digest "${sha256}" for ${archive.path}.`);
  }
  if (sha256 !== archive.sha256 || bytes !== archive.bytes) {
    return fault(
      'archive-differs',
      `Pod ${pod} holds ${bytes} bytes with SHA-256 ${sha256} at ${archive.path}, but setup wrote ${archive.bytes} bytes with ${archive.sha256}.`,
    );
  }
  if (!report.hasRequiredMember) return fault('member', `The archive of pod ${pod} lacks its required member.`);
  if (members !== archive.members) {
    return fault('members', `The archive of pod ${pod} has ${members} members, but setup wrote ${archive.members}.`);
  }
  if (!report.expandedDjangoRay.startsWith('src/django_ray/')) {
    const from = error || `it comes from "${report.expandedDjangoRay}"`;
    return fault('not-importable', `Pod ${pod} cannot import django_ray out of the expanded archive: ${from}.`);
  }
  return undefined;
}
