import { deferred } from '../core/deferred.js';
import type { Outcome } from '../core/outcome.js';
import type { Api } from './api.js';
import { createBackoff } from './backoff.js';
import type { ObjectList } from './cluster.js';
import type { Discovery } from './discovery.js';
import type { KindStore } from './kindStore.js';
import { kindName } from './objects.js';
import { collectionPath, withQuery } from './paths.js';
import type { WatchEvent, WatchedKind } from './watchStore.js';
import { readWatch, type StreamEnd } from './watchStream.js';

export interface KindWatchOptions {
  readonly api: Api;
  readonly discovery: Discovery;
  readonly watched: WatchedKind;
  readonly store: KindStore;
  readonly list: () => Promise<Outcome<ObjectList>>;
  /** Called after each change of the store, with what changed; without events when only its readability did. */
  readonly onChange: (events: readonly WatchEvent[]) => void;
  /**
   * A stream without a line for this long is given up. Seen on Kubernetes 1.35.4: bookmarks come every 60 s, for a kind that
   * does not change only when etcd runs with `--watch-progress-notify-interval` (kubeadm: 5 s), for Events not at all.
   */
  readonly silenceMs?: number;
  readonly random?: () => number;
}

export interface KindWatch {
  /** Lists anew and goes on watching from there; ends when a list that began after this call has come to something. */
  relist(): Promise<void>;
  /** Ends the stream at once; a list that is under way comes to nothing. */
  close(): void;
}

const defaultSilenceMs = 90_000;
/** The API server ends a stream after this long, by chance up to twice as long, so that streams do not all end together. */
const streamSeconds = 300;
/** What lasts less than this is not taken for a recovery: a server on its way down must not be asked without a pause. */
const shortestSteadyMs = 1_000;
const failurePause = { firstMs: 200, longestMs: 3_000 };
const unservedPause = { firstMs: 2_000, longestMs: 30_000 };

/** Keeps one kind's store equal to the API server's: list, watch from there, list again when the stream says or hides too much. */
export function startKindWatch(options: KindWatchOptions): KindWatch {
  const { store, onChange, random = Math.random } = options;
  const closing = new AbortController();
  const failure = createBackoff({ ...failurePause, random });
  const unserved = createBackoff({ ...unservedPause, random });
  /** Ends the stream or the pause that is under way. */
  let interrupt = new AbortController();
  let waiting: (() => void)[] = [];
  /** Why no watch is granted although a list is; then what was listed is old at once, and does not count. */
  let refused: string | undefined;

  const take = (listed: Outcome<ObjectList>): void => {
    if (listed.kind === 'unreadable') {
      store.markUnreadable(listed.reason, listed.retryable);
      onChange([]);
      return;
    }
    const events = listed.kind === 'found' ? store.replace(listed.value.items) : store.markUnserved();
    if (refused !== undefined) store.markUnreadable(refused, false);
    onChange(events);
  };

  const watchFrom = async (resourceVersion: string, signal: AbortSignal): Promise<void> => {
    let version = resourceVersion;
    let end: StreamEnd;
    do {
      const start = performance.now();
      end = await stream(options, version, signal, {
        onOpen() {
          if (refused === undefined) return;
          refused = undefined;
          interrupt.abort();
        },
        onVersion(next) {
          version = next;
        },
      });
      if (performance.now() - start >= shortestSteadyMs) failure.reset();
      else if (!signal.aborted) await failure.wait(signal);
    } while (end.kind === 'closed' && !signal.aborted);
    if (end.kind === 'refused' && !signal.aborted) {
      refused = `${kindName(options.watched.kind)}: ${end.reason}`;
      store.markUnreadable(refused, false);
      onChange([]);
    }
  };

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      interrupt = new AbortController();
      const signal = AbortSignal.any([closing.signal, interrupt.signal]);
      const answered = waiting;
      waiting = [];
      const listed = await options.list();
      if (!closing.signal.aborted) take(listed);
      for (const done of answered) done();
      if (signal.aborted) continue;
      if (listed.kind === 'found') await watchFrom(listed.value.resourceVersion, signal);
      else await (listed.kind === 'absent' ? unserved : failure).wait(signal);
    }
  };

  // Only a listener of the store's can throw here. Then nothing is kept up to date any more, and the store says so.
  void run().catch((error: unknown) => {
    store.markUnreadable(
      `${kindName(options.watched.kind)}: the watch ended by an error of this program: ${error}`,
      false,
    );
  });
  return {
    relist() {
      if (closing.signal.aborted) return Promise.resolve();
      const { promise, resolve } = deferred<void>();
      waiting.push(resolve);
      interrupt.abort();
      return promise;
    },
    close() {
      closing.abort();
      for (const done of waiting) done();
    },
  };
}

interface StreamListener {
  readonly onOpen: () => void;
  readonly onVersion: (resourceVersion: string) => void;
}

async function stream(
  options: KindWatchOptions,
  resourceVersion: string,
  signal: AbortSignal,
  { onOpen, onVersion }: StreamListener,
): Promise<StreamEnd> {
  const { api, discovery, store, onChange, random = Math.random } = options;
  const { kind, namespace, labelSelector } = options.watched;
  const served = await discovery.resolve(kind).catch(() => undefined);
  if (!served) return { kind: 'broken', reason: 'the kind is not served' };
  const timeoutSeconds = Math.round(streamSeconds * (1 + random()));
  const query = { watch: true, resourceVersion, allowWatchBookmarks: true, timeoutSeconds, labelSelector };
  return readWatch(api, {
    path: withQuery(collectionPath(served, kind, namespace), query),
    silenceMs: options.silenceMs ?? defaultSilenceMs,
    signal,
    onOpen,
    onEvent(event) {
      if (event.type === 'BOOKMARK') {
        onVersion(event.resourceVersion);
        return;
      }
      const { object } = event;
      if (object.metadata.resourceVersion !== undefined) onVersion(object.metadata.resourceVersion);
      const events = event.type === 'DELETED' ? store.drop(object) : store.put(object);
      if (events.length > 0) onChange(events);
    },
  });
}
