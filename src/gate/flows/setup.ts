import { isClusterError } from '../../cluster/clusterError.js';
import type { KubeObject } from '../../cluster/objects.js';
import type { WatchStore } from '../../cluster/watchStore.js';
import { GateError } from '../../core/gateError.js';
import { ready, type Verdict, waiting } from '../../core/verdict.js';
import { fieldManager, gateNamespace, kinds, setupJobName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import { controllerOf } from '../model/podFacts.js';
import { judgeSetup, type SetupReading } from '../rules/setupJob.js';
import { judgeSetupResult } from '../rules/setupResult.js';
import { appDigests } from './digests.js';
import { awaitDrained } from './drain.js';
import { mutate, readUntilAnswered } from './persist.js';
import { judging, setupReading } from './readings.js';
import { ownDeadline, type StepContext } from './stepContext.js';

/** Marks whose Job it is, so that a step run again after a kill finds its own. */
export const runAnnotation = 'raygate.dev/run';
const jobRef = { ...kinds.job, name: setupJobName, namespace: gateNamespace };
const logLines = 200;

/** Replaces the setup Job with this run's, waits for its end, and takes in what it says that it made. */
export async function runSetup(context: StepContext): Promise<Facts['setup']> {
  const { plan } = context;
  const store = await context.watch();
  const jobUid = await replaceJob(context, store);
  const expected = {
    jobName: setupJobName,
    jobUid,
    containerName: setupJobName,
    pod: plan.setup.pod,
    template: plan.setup.template,
    digests: await appDigests(context),
  };
  const facts = await store.until(
    judging(setupReading, (reading) => judgeSetup(reading, expected)),
    {
      deadline: ownDeadline(context),
      layer: 'setup',
      onProgress: context.progress,
      confirm: true,
    },
  );
  const log = await readUntilAnswered(
    `log of pod ${facts.pod.name}`,
    () =>
      context.cluster.logs({
        namespace: gateNamespace,
        pod: facts.pod.name,
        container: setupJobName,
        tailLines: logLines,
      }),
    context,
  );
  const result = judgeSetupResult(facts.terminationMessage, log ?? '', {
    archiveUri: plan.release.archiveUri,
    sourceTree: plan.source.tree,
  });
  if (result.kind !== 'ready') throw new GateError({ layer: 'setup', code: result.code, message: result.detail });
  return { jobUid, pod: facts.pod, result: result.facts };
}

/** The UID of this run's Job: found after a kill, else made anew once the old one and its pods are gone. */
async function replaceJob(context: StepContext, store: WatchStore): Promise<string> {
  const persist = context;
  const existing = await readUntilAnswered(`Job ${setupJobName}`, () => context.cluster.get(jobRef), persist);
  if (existing && isOurs(existing, context.runId) && !hasFailed(existing)) return uidOf(existing);
  if (context.plan.drain === 'wait') await awaitDrained(context);
  if (existing) {
    const uid = uidOf(existing);
    context.progress(`removing the Job of an earlier run (${uid})`);
    const remove = () => context.cluster.remove(jobRef, { uid, propagation: 'Foreground' });
    await mutate(`deleting Job ${setupJobName}`, remove, persist);
    await store.until(
      judging(setupReading, (reading) => judgeGone(reading, uid)),
      {
        deadline: ownDeadline(context),
        layer: 'setup',
        onProgress: context.progress,
      },
    );
  }
  const job = jobOf(context);
  const create = () => context.cluster.create(job, { fieldManager });
  try {
    return uidOf(await mutate(`creating Job ${setupJobName}`, create, persist));
  } catch (error) {
    // A create that timed out may have been carried out: then the Job that is there carries this run's mark.
    if (!isAlreadyExists(error)) throw error;
    const found = await readUntilAnswered(`Job ${setupJobName}`, () => context.cluster.get(jobRef), persist);
    if (found && isOurs(found, context.runId)) return uidOf(found);
    throw error;
  }
}

/** Takes this stack's setup Job away with its pod; one of a later run, or of somebody else, is left alone. */
export async function removeSetupJob(context: StepContext): Promise<void> {
  const existing = await readUntilAnswered(`Job ${setupJobName}`, () => context.cluster.get(jobRef), context);
  if (existing === undefined || !isOurs(existing, context.runId)) return;
  const uid = uidOf(existing);
  const remove = () => context.cluster.remove(jobRef, { uid, propagation: 'Background' });
  await mutate(`deleting Job ${setupJobName}`, remove, context);
}

function judgeGone({ job, pods }: SetupReading, uid: string): Verdict {
  if (job?.uid === uid)
    return waiting('setup.old-job', `Job ${setupJobName} (${uid}) of an earlier run is still there`);
  const left = pods.filter((pod) => controllerOf(pod.owners)?.uid === uid);
  return left.length > 0
    ? waiting('setup.old-pod', `pod ${left[0]?.name} of an earlier run is still there`)
    : ready({});
}

/** The planned Job with the mark of this run, without a TTL: the evidence still reads it when the run is over. */
function jobOf(context: StepContext): KubeObject {
  const manifest = context.plan.setup.manifest as unknown as KubeObject;
  const annotations = { ...manifest.metadata.annotations, [runAnnotation]: context.runId };
  const { ttlSecondsAfterFinished: _ttl, ...spec } = manifest['spec'] as Record<string, unknown>;
  return { ...manifest, metadata: { ...manifest.metadata, annotations }, spec };
}

function isOurs(job: KubeObject, runId: string): boolean {
  return job.metadata.annotations?.[runAnnotation] === runId && job.metadata.deletionTimestamp === undefined;
}

function hasFailed(job: KubeObject): boolean {
  const conditions =
    (job['status'] as { conditions?: { type?: string; status?: string }[] } | undefined)?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Failed' && condition.status === 'True');
}

function isAlreadyExists(error: unknown): boolean {
  return (
    (error as { code?: unknown }).code === 'setup.already-exists' ||
    (isClusterError(error) && error.code === 'already-exists')
  );
}

function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? '';
}
