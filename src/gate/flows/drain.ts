import type { KindRef } from '../../cluster/objects.js';
import { type Deadline, deadlineIn } from '../../core/deadline.js';
import { absent, found, type Outcome, unreadable } from '../../core/outcome.js';
import { judgeDrained, type WorkSource } from '../../drain/drained.js';
import {
  type FiniteWork,
  unfinishedExecutionStates,
  unfinishedJob,
  unfinishedRayJob,
  unfinishedWorkload,
  type WorkObject,
} from '../../drain/finiteWork.js';
import { asCount, asList, asRecord, asText, at } from '../model/json.js';
import { gateNamespace, kinds, setupJobName, webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { PreservedSnapshot } from '../model/preserved.js';
import { readApiToken } from './apiToken.js';
import { pollUntil } from './poll.js';
import { lookAtPostgres } from './postgresIdentity.js';
import { readPreserved } from './preserved.js';
import type { StepContext } from './stepContext.js';
import { openWebApi, type WebApi } from './webApi.js';

/** Waits until nothing is under way that the next change would lose; never cuts anything off. Then looks at what must be preserved. */
export async function runDrain(context: StepContext): Promise<Facts['drain']> {
  const { plan } = context;
  if (plan.drain === 'skip') return { mode: 'skip', empty: [], notPresent: [], before: await lookBefore(context) };
  const seconds = plan.deadlines['drain'] ?? 900;
  const drained = await awaitDrained(context, deadlineIn(seconds));
  return { mode: 'wait', ...drained, before: await lookBefore(context) };
}

const beforeMark = 'preserved-before';

/** Once a run: nothing in the cluster has changed yet, and a step run again after a kill must not look at a later state. */
async function lookBefore(context: StepContext): Promise<PreservedSnapshot> {
  const kept = await context.run.readMark<PreservedSnapshot>(beforeMark);
  if (kept !== undefined) return kept;
  context.progress('looking at what must be preserved');
  const before = await readPreserved(context, await lookAtPostgres(context));
  await context.run.writeMark(beforeMark, before);
  return before;
}

/** Looked at again right before each mutation: work is accepted all the time. */
export function awaitDrained(context: StepContext, deadline: Deadline = context.deadline) {
  const api = openWebApi(context.plan.webUrl);
  return pollUntil(async () => judgeDrained(await readWork(context, api, deadline)), {
    layer: 'drain',
    deadline,
    everySeconds: 2,
    progress: context.progress,
  });
}

async function readWork(context: StepContext, api: WebApi, deadline: Deadline): Promise<readonly WorkSource[]> {
  const list = async (
    name: string,
    versions: readonly KindRef[],
    rule: (object: WorkObject) => FiniteWork | undefined,
  ) => {
    for (const kind of versions) {
      const outcome = await context.cluster.list(kind, { namespace: gateNamespace });
      if (outcome.kind === 'absent') continue;
      if (outcome.kind === 'unreadable') return { name, outcome };
      const work = outcome.value.items.filter((object) => object.metadata.name !== setupJobName || kind.kind !== 'Job');
      return { name, outcome: found(work.map(rule).filter((item) => item !== undefined)) };
    }
    return { name, outcome: absent };
  };
  return Promise.all([
    list(
      'Workloads',
      [kinds.workload, { ...kinds.workload, apiVersion: 'kueue.x-k8s.io/v1beta1' }],
      unfinishedWorkload,
    ),
    list('Jobs', [kinds.job], unfinishedJob),
    list('RayJobs', [kinds.rayJob], unfinishedRayJob),
    readExecutions(context, api, deadline).then((outcome) => ({ name: 'executions', outcome })),
  ]);
}

/**
 * Executions RUNNING or CANCELLING. Without web there is no deployment to lose work of; without a task manager's pod nothing
 * is being run, whatever rows say.
 */
async function readExecutions(
  context: StepContext,
  api: WebApi,
  deadline: Deadline,
): Promise<Outcome<readonly FiniteWork[]>> {
  const web = await context.cluster.get({ ...kinds.deployment, name: webDeploymentName, namespace: gateNamespace });
  if (web.kind !== 'found') return web;
  const managers = await context.cluster.list(kinds.pod, {
    namespace: gateNamespace,
    labelSelector: 'component=worker,app=django-ray',
  });
  if (managers.kind !== 'found') return managers;
  if (managers.value.items.every((pod) => ['Succeeded', 'Failed'].includes(asText(at(pod['status'], 'phase')))))
    return absent;
  const token = await readApiToken(context.redactor, { layer: 'drain', deadline, cluster: context.cluster });
  const work: FiniteWork[] = [];
  const stats = await getJson(api, '/api/executions/stats', token);
  if (stats.kind !== 'found') return stats;
  for (const state of unfinishedExecutionStates) {
    const count = asCount(asRecord(asRecord(stats.value)['states'])[state]);
    if (count === 0) continue;
    const rows = await getJson(api, `/api/executions?state=${state}&limit=100`, token);
    if (rows.kind !== 'found') return rows;
    const tasks = asList(asRecord(rows.value)['tasks']).map(asRecord);
    for (const task of tasks) work.push({ kind: 'Execution', identity: `Execution ${asText(task['task_id'])}`, state });
    for (let i = tasks.length; i < count; i++)
      work.push({ kind: 'Execution', identity: 'Execution (unlisted)', state });
  }
  return found(work);
}

async function getJson(api: WebApi, path: string, token: string): Promise<Outcome<unknown>> {
  const answer = await api.call({ method: 'GET', path, token });
  if (answer.kind === 'no-answer')
    return unreadable(`${answer.reason}; raygate:drain=skip goes on without asking`, true);
  const { status, body } = answer.response;
  if (status !== 200) return unreadable(`GET ${path} answered ${status}`, status >= 500 || status === 429);
  try {
    return found(JSON.parse(body));
  } catch {
    return unreadable(`GET ${path} gave no JSON`, false);
  }
}
