import { openCluster } from '../../cluster/client.js';
import type { Cluster } from '../../cluster/cluster.js';
import { readSnapshot } from '../../cluster/snapshot.js';
import type { WatchStore } from '../../cluster/watchStore.js';
import type { Deadline } from '../../core/deadline.js';
import type { Layer } from '../../core/gateError.js';
import { createRedactor, type Redactor } from '../../core/redaction.js';
import { learnSecrets } from '../flows/learnSecrets.js';
import { watchedKinds } from '../flows/readings.js';
import type { RunPlan } from '../model/plan.js';

/** What all steps of one plugin process share: one connection, one set of watches, one redactor. */
export interface Session {
  readonly cluster: Cluster;
  readonly redactor: Redactor;
  /** Opened by whichever step asks first; every later one gets the same. */
  watch(deadline: Deadline, layer: Layer, onOpening: () => void): Promise<WatchStore>;
}

const sessions = new Map<string, Promise<Session>>();

/** The session of a plan's cluster and run; opened by whichever step asks first. */
export function openSession(plan: RunPlan, runId: string): Promise<Session> {
  const key = `${plan.kubeconfig.sha256}/${runId}`;
  let session = sessions.get(key);
  if (session === undefined) {
    session = open(plan);
    sessions.set(key, session);
    session.catch(() => sessions.delete(key));
  }
  return session;
}

async function open(plan: RunPlan): Promise<Session> {
  const snapshot = await readSnapshot(plan.kubeconfig);
  const redactor = createRedactor(snapshot.secrets);
  const cluster = await openCluster(snapshot, { requestTimeoutSeconds: plan.deadlines['request'] ?? 30 });
  await learnSecrets(cluster, redactor);
  let store: Promise<WatchStore> | undefined;
  const start = async (deadline: Deadline, layer: Layer) => {
    const opened = cluster.watch(watchedKinds.map((kind) => ({ kind, namespace: plan.namespace })));
    try {
      await opened.ready(deadline, layer);
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  };
  const watch = (deadline: Deadline, layer: Layer, onOpening: () => void) => {
    if (store === undefined) onOpening();
    store ??= start(deadline, layer).catch((error: unknown) => {
      store = undefined;
      throw error;
    });
    return store;
  };
  return { cluster, redactor, watch };
}
