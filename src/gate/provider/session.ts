import { openCluster } from '../../cluster/client.js';
import type { Cluster } from '../../cluster/cluster.js';
import { readSnapshot } from '../../cluster/snapshot.js';
import type { WatchStore } from '../../cluster/watchStore.js';
import type { Deadline } from '../../core/deadline.js';
import { GateError, isGateError, type Layer } from '../../core/gateError.js';
import { openOnce } from '../../core/openOnce.js';
import { createRedactor, type Redactor } from '../../core/redaction.js';
import { ownProcess } from '../../host/processRecord.js';
import { type HeldLease, holdLease } from '../flows/holdLease.js';
import { watchedKinds } from '../flows/readings.js';
import { runFolder } from '../flows/stateFolder.js';
import { takeLease } from '../flows/takeLease.js';
import { holderIdentity } from '../model/lease.js';
import type { RunPlan } from '../model/plan.js';
import { guardedCluster } from './guardedCluster.js';
import { createPinWatch, type PinWatch } from './pinWatch.js';
import { createRunGuard, type RunGuard } from './runGuard.js';

/** What a step brings along when it asks for something that only the first one opens. */
export interface Asking {
  readonly layer: Layer;
  readonly deadline: Deadline;
  readonly progress: (line: string) => void;
}

/**
 * What all steps of one run share in the one plugin process that serves them: a connection, the watches, the redactor, the Lease and
 * what must not change. The Lease lives here because this process does every change that the gate itself makes, and nothing else
 * lives from the first step to the last; when it is killed, renewals stop with it, and the Lease is another's after its time, or at
 * once on this machine, where the process can be seen to be gone.
 */
export interface Session {
  /** Its writes are refused once the Lease is lost or the run has failed. */
  readonly cluster: Cluster;
  readonly redactor: Redactor;
  readonly guard: RunGuard;
  readonly pins: PinWatch;
  watch(asking: Asking): Promise<WatchStore>;
  /** Takes the Lease, and renews it from then on. Throws `GateError` (`gate.lease-held`). */
  hold(asking: Asking): Promise<void>;
  /** Throws what has ended the run meanwhile, a lost Lease included. */
  assertHolds(): Promise<void>;
  /** After the last step: gives the Lease up and ends the watches. */
  end(): Promise<void>;
}

const sessions = new Map<string, ReturnType<typeof openOnce<[], Session>>>();

/** The session of a plan's cluster and run; opened by whichever step asks first. */
export function openSession(plan: RunPlan, runId: string): Promise<Session> {
  const key = keyOf(plan, runId);
  let session = sessions.get(key);
  if (session === undefined) {
    session = openOnce(() => open(plan, runId, () => sessions.delete(key)));
    sessions.set(key, session);
  }
  return session.get();
}

/** Ends a session that this process has opened; there is nothing to do, and nobody is asked, when it has not. */
export async function endSession(plan: RunPlan, runId: string): Promise<void> {
  const session = await sessions.get(keyOf(plan, runId))?.current;
  await session?.end();
}

function keyOf(plan: RunPlan, runId: string): string {
  return `${plan.kubeconfig.sha256}/${runId}`;
}

async function open(plan: RunPlan, runId: string, onEnd: () => void): Promise<Session> {
  const snapshot = await readSnapshot(plan.kubeconfig);
  const redactor = createRedactor(snapshot.secrets);
  const bare = await openCluster(snapshot, {
    requestTimeoutSeconds: plan.deadlines['request'] ?? 30,
    watchSilenceSeconds: plan.deadlines['watch-silence'] ?? 90,
  });
  // What steps still wait for in it comes to nothing, and says so to nobody.
  const guard = createRunGuard(() => void store.current?.then((opened) => opened.close()).catch(() => {}));
  const run = runFolder(plan.stateFolder, runId);
  const failForGood = (code: string, message: string) => {
    const fail = () => guard.fail(new GateError({ layer: 'final-identity', code, message }));
    // First, so that the next run is a new one even when this process ends with its steps. Without it, that run finds the same.
    run.writeMark('void', { reason: redactor.clean(message) }).then(fail, fail);
  };
  const pins = createPinWatch(failForGood);
  // Without a limit in the plan that an earlier version left in a stack's state: a destroy works with that plan.
  const limit = setTimeout(() => guard.fail(overdue(plan)), (plan.deadlineSeconds ?? 86_400) * 1000);
  limit.unref();

  const store = openOnce(async ({ deadline, layer, progress }: Asking) => {
    progress('waiting for the API server to list what is watched');
    const opened = bare.watch(watchedKinds.map((kind) => ({ kind, namespace: plan.namespace })));
    try {
      await opened.ready(deadline, layer);
      pins.attach(opened);
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  });
  const lease = openOnce(async (asking: Asking): Promise<HeldLease | undefined> => {
    const self = holderIdentity({ stack: plan.stack, runId, process: await ownProcess() });
    const durationSeconds = plan.deadlines['lease'] ?? 30;
    const request = { ...asking, cluster: bare, namespace: plan.namespace, self, durationSeconds };
    const taken = await takeLease(request).catch(unlessGone);
    return taken && holdLease(taken, request, guard.fail);
  });
  const assertHolds = async () => {
    if (guard.failure) throw guard.failure;
    await (await lease.current)?.assertHeld();
  };
  return {
    redactor,
    guard,
    pins,
    cluster: guardedCluster(bare, assertHolds),
    assertHolds,
    watch: store.get,
    hold: async (asking) => void (await lease.get(asking)),
    async end() {
      onEnd();
      clearTimeout(limit);
      pins.end();
      await (await lease.current)?.release();
      await bare.close();
    },
  };
}

/** In a namespace that is gone, as a destroy may find it, there is nothing to keep apart. */
function unlessGone(error: unknown): undefined {
  if (isGateError(error) && error.code.endsWith('.not-found')) return undefined;
  throw error;
}

function overdue(plan: RunPlan): GateError {
  const message = `The whole run did not end within ${plan.deadlineSeconds} s (raygate:deadlineSeconds): run again to go on from here, or give it longer.`;
  return new GateError({ layer: 'evidence', code: 'gate.deadline', message, retryable: true });
}
