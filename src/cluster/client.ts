import type { Deadline } from '../core/deadline.js';
import { isGateError } from '../core/gateError.js';
import { createRedactor, type Redactor } from '../core/redaction.js';
import { createApi } from './api.js';
import type { Cluster } from './cluster.js';
import { ClusterError } from './clusterError.js';
import { connectionOf } from './connection.js';
import { createDiscovery } from './discovery.js';
import { execInContainer } from './exec.js';
import { openWatchStore } from './openWatchStore.js';
import { waitReachable } from './reachable.js';
import { getObject, listObjects, readLogs, readServedKinds, readVersion } from './reads.js';
import { readPinnedConfig, readSnapshot, type SnapshotRef, verifySnapshot } from './snapshot.js';
import { createTransport } from './transport.js';
import type { WatchStore } from './watchStore.js';
import { applyObject, createObject, patchObject, removeObject } from './writes.js';

export interface OpenOptions {
  /** What messages are cleaned with, besides the snapshot's own credentials, which it learns. Default: those alone. */
  readonly redactor?: Redactor;
  /** Default: 30. */
  readonly requestTimeoutSeconds?: number;
  /** How long a watch may say nothing before its kind is listed anew. Default: 90. */
  readonly watchSilenceSeconds?: number;
}

/** Opens what a snapshot points to. Throws `GateError` (`kubeconfig.*`) for a snapshot that is not what was pinned; sends nothing. */
export async function openCluster(ref: SnapshotRef, options: OpenOptions = {}): Promise<Cluster> {
  const snapshot = await readSnapshot(ref);
  const redactor = options.redactor ?? createRedactor();
  for (const secret of snapshot.secrets) redactor.register(secret);
  const connection = connectionOf(await readPinnedConfig(ref));
  const transport = createTransport(connection);
  const verify = () => onlyClusterErrors(verifySnapshot(ref));
  const api = createApi({
    transport,
    verify,
    clean: redactor.clean,
    ...(options.requestTimeoutSeconds !== undefined && { requestTimeoutSeconds: options.requestTimeoutSeconds }),
  });
  const discovery = createDiscovery(api);
  const closing = new AbortController();
  const stores = new Set<WatchStore>();
  const silenceMs = (options.watchSilenceSeconds ?? 90) * 1000;

  return {
    server: snapshot.server,
    context: snapshot.context,
    kubeconfigSha256: snapshot.sha256,
    get: (object) => getObject(api, discovery, object),
    list: (kind, listOptions) => listObjects(api, discovery, kind, listOptions),
    servedKinds: () => readServedKinds(discovery),
    create: (object, write) => createObject(api, discovery, object, write),
    apply: (object, write) => applyObject(api, discovery, object, write),
    patch: (object, patch, write) => patchObject(api, discovery, object, patch, write),
    remove: (object, remove) => removeObject(api, discovery, object, remove),
    logs: (log) => readLogs(api, log),
    async exec(exec) {
      await verify();
      return execInContainer(api, connection, exec, closing.signal);
    },
    version: () => readVersion(api),
    waitReachable: (deadline: Deadline) => waitReachable(api, deadline, snapshot.server, closing.signal),
    watch(kinds) {
      const list = (kind: Parameters<Cluster['list']>[0], listOptions: Parameters<Cluster['list']>[1]) =>
        listObjects(api, discovery, kind, listOptions);
      const store = openWatchStore(kinds, { api, discovery, list, silenceMs });
      stores.add(store);
      return store;
    },
    async close() {
      closing.abort();
      // Stores first, so that a wait ends as closed and not as unreachable.
      const closed = [...stores].map((store) => store.close());
      transport.close();
      await Promise.all(closed);
    },
  };
}

/** A request fails in one way only, also when it is the snapshot that stops it. */
async function onlyClusterErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isGateError(error)) throw new ClusterError({ code: 'snapshot', message: error.message });
    throw error;
  }
}
