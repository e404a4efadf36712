import { absent, found, type Outcome, unreadable } from '../core/outcome.js';
import type { KubeObject } from './objects.js';
import type { WatchEvent } from './watchStore.js';

/** What is known of one watched kind. */
export interface KindStore {
  /** The objects by namespace and name. The value does not change afterwards; without a change it is the same one. */
  snapshot(): Outcome<ReadonlyMap<string, KubeObject>>;
  /** Takes over a whole list; what differs from before comes out as events. */
  replace(items: readonly KubeObject[]): WatchEvent[];
  put(object: KubeObject): WatchEvent[];
  drop(object: KubeObject): WatchEvent[];
  /** The kind is proven unserved: it has no objects. */
  markUnserved(): WatchEvent[];
  /** Nothing can be said now; the objects are kept to be compared with the next list. */
  markUnreadable(reason: string, retryable: boolean): void;
}

export function objectKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

export function createKindStore(kind: string): KindStore {
  const objects = new Map<string, KubeObject>();
  let state: Outcome<true> = unreadable(`${kind} has not been listed yet`, true);
  let snapshot: Outcome<ReadonlyMap<string, KubeObject>> | undefined;

  const put = (object: KubeObject): WatchEvent[] => {
    snapshot = undefined;
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = objects.get(key);
    objects.set(key, object);
    if (!previous) return [{ type: 'added', object }];
    if (previous.metadata.uid !== object.metadata.uid) {
      return [
        { type: 'deleted', object: previous },
        { type: 'added', object },
      ];
    }
    if (previous.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    return [{ type: 'modified', object, previous }];
  };
  const drop = (object: KubeObject): WatchEvent[] => {
    snapshot = undefined;
    const gone = objects.delete(objectKey(object.metadata.namespace, object.metadata.name));
    return gone ? [{ type: 'deleted', object }] : [];
  };
  const replace = (items: readonly KubeObject[], next: Outcome<true>): WatchEvent[] => {
    snapshot = undefined;
    state = next;
    const kept = new Set(items.map((item) => objectKey(item.metadata.namespace, item.metadata.name)));
    const gone = [...objects].filter(([key]) => !kept.has(key)).map(([, object]) => object);
    return [...gone.flatMap(drop), ...items.flatMap(put)];
  };

  return {
    snapshot() {
      snapshot ??= state.kind === 'found' ? found(new Map(objects)) : state;
      return snapshot;
    },
    replace: (items) => replace(items, found(true)),
    put,
    drop,
    markUnserved: () => replace([], absent),
    markUnreadable(reason, retryable) {
      snapshot = undefined;
      state = unreadable(reason, retryable);
    },
  };
}
