import type { Deadline } from '../core/deadline.js';
import type { Layer } from '../core/gateError.js';
import type { Outcome } from '../core/outcome.js';
import { failed, ready, type Verdict, waiting } from '../core/verdict.js';
import type { Api } from './api.js';
import type { ListOptions, ObjectList } from './cluster.js';
import type { Discovery } from './discovery.js';
import { createKindStore } from './kindStore.js';
import { startKindWatch } from './kindWatch.js';
import { type KindRef, kindName } from './objects.js';
import { waitUntil } from './until.js';
import { createView, type WatchedPart } from './view.js';
import type { View, WatchEvent, WatchedKind, WatchStore } from './watchStore.js';

export interface WatchStoreOptions {
  readonly api: Api;
  readonly discovery: Discovery;
  readonly list: (kind: KindRef, options: ListOptions) => Promise<Outcome<ObjectList>>;
  /** Default: 90 s. */
  readonly silenceMs?: number;
}

export function openWatchStore(kinds: readonly WatchedKind[], options: WatchStoreOptions): WatchStore {
  const { api, discovery, silenceMs } = options;
  const listeners = new Set<(event: WatchEvent) => void>();
  const changeListeners = new Set<() => void>();
  const closing = new AbortController();
  let view: View | undefined;

  const onChange = (events: readonly WatchEvent[]): void => {
    view = undefined;
    for (const event of events) for (const listener of listeners) listener(event);
    for (const listener of changeListeners) listener();
  };
  const parts = kinds.map((watched) => {
    const { kind, namespace, labelSelector } = watched;
    const store = createKindStore(kindName(kind));
    const narrowed = {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
    };
    const list = () => options.list(kind, narrowed);
    const watch = startKindWatch({ api, discovery, watched, store, list, onChange, ...(silenceMs && { silenceMs }) });
    return { watched, store, watch };
  });
  const partsNow = (): ReadonlyMap<string, readonly WatchedPart[]> => {
    const byKind = new Map<string, WatchedPart[]>();
    for (const { watched, store } of parts) {
      const name = kindName(watched.kind);
      const part = { namespace: watched.namespace, outcome: store.snapshot() };
      byKind.set(name, [...(byKind.get(name) ?? []), part]);
    }
    return byKind;
  };
  const currentView = (): View => {
    view ??= createView(partsNow());
    return view;
  };
  const observed = {
    view: currentView,
    onChange(listener: () => void) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    confirm: async () => void (await Promise.all(parts.map(({ watch }) => watch.relist()))),
    closed: closing.signal,
    printable: api.printable,
  };

  return {
    view: currentView,
    until: (judge, untilOptions) => waitUntil(observed, judge, untilOptions),
    async ready(deadline: Deadline, layer: Layer = 'preflight') {
      await waitUntil(observed, (now) => judgeListed(kinds, now), { deadline, layer });
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      for (const { watch } of parts) watch.close();
    },
  };
}

/** Whether every kind has been listed, or is proven unserved. */
function judgeListed(kinds: readonly WatchedKind[], view: View): Verdict {
  const reasons: string[] = [];
  for (const { kind } of kinds) {
    const outcome = view.list(kind);
    if (outcome.kind !== 'unreadable') continue;
    if (!outcome.retryable) return failed('cluster.unreadable', outcome.reason);
    reasons.push(outcome.reason);
  }
  return reasons.length === 0 ? ready({}) : waiting('cluster.not-listed', [...new Set(reasons)].join('; '));
}
