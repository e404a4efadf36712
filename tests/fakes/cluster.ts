import type { Cluster, ExecResult } from '../../src/cluster/cluster.js';
import { ClusterError } from '../../src/cluster/clusterError.js';
import {
  type KindRef,
  type KubeObject,
  kindName,
  type ObjectRef,
  objectName,
  refOf,
} from '../../src/cluster/objects.js';
import type { UntilOptions, View, WatchEvent, WatchStore } from '../../src/cluster/watchStore.js';
import { GateError } from '../../src/core/gateError.js';
import { absent, found, type Outcome, unreadable } from '../../src/core/outcome.js';
import type { Verdict } from '../../src/core/verdict.js';

export interface FakeCluster extends Cluster {
  /** What was asked of it that changes something, in order: `create batch/v1/Job/django-ray/x`. */
  readonly mutations: readonly string[];
  put(object: KubeObject): void;
  drop(ref: ObjectRef): void;
  /** Called after each mutation: plays the controllers. */
  react(reaction: (mutation: string) => void): void;
  /** An object of this name is only marked when it is removed; `drop` takes it away. */
  linger(name: string): void;
  /** The next call of this verb throws. */
  failNext(verb: 'create' | 'remove' | 'apply' | 'list' | 'patch', error: ClusterError, carriedOut?: boolean): void;
}

/** A cluster in memory: objects by name, UIDs given at creation, preconditions kept, a watch that judges on each change. */
export function fakeCluster(logs: Readonly<Record<string, string>> = {}): FakeCluster {
  const objects = new Map<string, KubeObject>();
  const mutations: string[] = [];
  const lingering = new Set<string>();
  const waiters = new Set<() => void>();
  const eventListeners = new Set<(event: WatchEvent) => void>();
  const failures: { verb: string; error: ClusterError; carriedOut: boolean }[] = [];
  let reaction: (mutation: string) => void = () => {};
  let uids = 0;

  const changed = (event?: WatchEvent) => {
    if (event) for (const listener of [...eventListeners]) listener(event);
    for (const waiter of [...waiters]) waiter();
  };
  const put = (object: KubeObject) => {
    const name = objectName(refOf(object));
    const type = objects.has(name) ? 'modified' : 'added';
    objects.set(name, object);
    changed({ type, object });
  };
  const mutated = (mutation: string) => {
    mutations.push(mutation);
    queueMicrotask(() => {
      reaction(mutation);
      changed();
    });
  };
  const failure = (verb: string) => {
    const at = failures.findIndex((one) => one.verb === verb);
    return at < 0 ? undefined : failures.splice(at, 1)[0];
  };
  const get = (ref: ObjectRef): Outcome<KubeObject> => {
    const object = objects.get(objectName(ref));
    return object === undefined ? absent : found(object);
  };
  const list = (kind: KindRef, namespace?: string): Outcome<readonly KubeObject[]> => {
    const ofKind = [...objects.values()].filter((object) => kindName(object) === kindName(kind));
    return found(ofKind.filter((object) => namespace === undefined || object.metadata.namespace === namespace));
  };
  const view: View = { get, list: (kind) => list(kind) };
  const until = <F>(judge: (seen: View) => Verdict<F>, options: UntilOptions) =>
    new Promise<F>((resolve, reject) => {
      const end = (act: () => void) => {
        waiters.delete(look);
        clearTimeout(timer);
        clearInterval(tick);
        act();
      };
      const look = () => {
        const verdict = judge(view);
        if (verdict.kind === 'ready') end(() => resolve(verdict.facts));
        else if (verdict.kind === 'failed') {
          end(() => reject(new GateError({ layer: options.layer, code: verdict.code, message: verdict.detail })));
        } else options.onProgress?.(verdict.detail);
      };
      const timer = setTimeout(() => {
        end(() =>
          reject(
            new GateError({
              layer: options.layer,
              code: 'fake.deadline',
              message: 'the deadline passed',
              retryable: true,
            }),
          ),
        );
      }, options.deadline.remainingMs());
      const tick = options.everySeconds === undefined ? undefined : setInterval(look, options.everySeconds * 1000);
      waiters.add(look);
      look();
    });
  const store: WatchStore = {
    ready: async () => {},
    view: () => view,
    until,
    onEvent: (listener) => {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    close: async () => {},
  };

  return {
    server: 'https://127.0.0.1:6443',
    context: 'docker-desktop',
    kubeconfigSha256: '0'.repeat(64),
    mutations,
    put,
    drop: (ref) => {
      const object = objects.get(objectName(ref));
      objects.delete(objectName(ref));
      changed(object && { type: 'deleted', object });
    },
    react: (next) => {
      reaction = next;
    },
    linger: (name) => void lingering.add(name),
    failNext: (verb, error, carriedOut = false) => failures.push({ verb, error, carriedOut }),
    get: async (ref) => get(ref),
    list: async (kind, options) => {
      const failing = failure('list');
      if (failing) return unreadable(failing.error.message, failing.error.retryable);
      const items = list(kind, options?.namespace);
      return items.kind === 'found' ? found({ items: items.value, resourceVersion: '1' }) : items;
    },
    servedKinds: async () => {
      const named = new Map([...objects.values()].map((object) => [kindName(object), object]));
      const kinds = [...named.values()].map(({ apiVersion, kind, metadata }) => {
        return {
          apiVersion,
          kind,
          plural: `${kind.toLowerCase()}s`,
          namespaced: metadata.namespace !== undefined,
          verbs: ['list', 'delete'],
        };
      });
      return found({ kinds, unreadable: [] });
    },
    create: async (object, options) => {
      const failing = failure('create');
      if (failing && !failing.carriedOut) throw failing.error;
      if (options.dryRun) return object;
      const ref = refOf(object);
      if (objects.has(objectName(ref)))
        throw new ClusterError({ code: 'already-exists', message: `${objectName(ref)} exists`, status: 409 });
      const made = { ...object, metadata: { ...object.metadata, uid: `uid-${++uids}`, resourceVersion: '1' } };
      put(made);
      mutated(`create ${objectName(ref)}`);
      if (failing) throw failing.error;
      return made;
    },
    remove: async (ref, options) => {
      const failing = failure('remove');
      if (failing) throw failing.error;
      const object = objects.get(objectName(ref));
      if (object === undefined) return 'absent';
      if (options?.uid !== undefined && options.uid !== object.metadata.uid) {
        throw new ClusterError({ code: 'conflict', message: `${objectName(ref)} has another UID`, status: 409 });
      }
      if (lingering.has(ref.name)) {
        put({ ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
      } else objects.delete(objectName(ref));
      mutated(`remove ${objectName(ref)}`);
      return 'deleted';
    },
    logs: async ({ pod }) => (pod in logs ? found(logs[pod] as string) : absent),
    watch: () => store,
    waitReachable: async () => {},
    version: async () => found('v1.35.4'),
    apply: async (object, options) => {
      const failing = failure('apply');
      if (failing) throw failing.error;
      if (!options.dryRun) mutated(`apply ${objectName(refOf(object))}`);
      return object;
    },
    // A merge patch, one level into `metadata` and `spec`; versions count up.
    patch: async (ref, patch) => {
      const failing = failure('patch');
      if (failing && !failing.carriedOut) throw failing.error;
      const object = objects.get(objectName(ref));
      if (object === undefined) throw new ClusterError({ code: 'not-found', message: objectName(ref), status: 404 });
      const { resourceVersion = '1' } = object.metadata;
      const given = patch as { metadata?: { resourceVersion?: string }; spec?: object };
      const precondition = given.metadata?.resourceVersion ?? resourceVersion;
      if (precondition !== resourceVersion)
        throw new ClusterError({ code: 'conflict', message: `${objectName(ref)} has changed`, status: 409 });
      const metadata = { ...object.metadata, ...given.metadata, resourceVersion: String(Number(resourceVersion) + 1) };
      const spec = Object.entries({ ...(object['spec'] as object), ...given.spec }).filter(
        ([, value]) => value !== null,
      );
      const patched = { ...object, metadata, spec: Object.fromEntries(spec) };
      put(patched);
      mutated(`patch ${objectName(ref)}`);
      if (failing) throw failing.error;
      return patched;
    },
    exec: (): Promise<ExecResult> => Promise.reject(new Error('not faked')),
    close: async () => {},
  };
}
