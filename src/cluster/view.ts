import { absent, found, type Outcome, unreadable } from '../core/outcome.js';
import { objectKey } from './kindStore.js';
import { type KindRef, type KubeObject, kindName } from './objects.js';
import type { View } from './watchStore.js';

/** One watched kind at one moment: what is watched of it, and its objects. */
export interface WatchedPart {
  readonly namespace: string | undefined;
  readonly outcome: Outcome<ReadonlyMap<string, KubeObject>>;
}

/** A view of what the stores held when it was made. A kind watched in several namespaces is the sum of them. */
export function createView(parts: ReadonlyMap<string, readonly WatchedPart[]>): View {
  const list = (kind: KindRef): Outcome<readonly KubeObject[]> => {
    const watched = parts.get(kindName(kind));
    if (!watched) return notWatched(kindName(kind));
    const items: KubeObject[] = [];
    for (const { outcome } of watched) {
      if (outcome.kind !== 'found') return outcome;
      items.push(...outcome.value.values());
    }
    return found(items);
  };
  return {
    list,
    get(ref) {
      const watched = parts.get(kindName(ref));
      if (!watched) return notWatched(kindName(ref));
      const part = watched.find(({ namespace }) => namespace === undefined || namespace === ref.namespace);
      if (!part) return notWatched(`${kindName(ref)} in ${ref.namespace ?? 'all namespaces'}`);
      if (part.outcome.kind !== 'found') return part.outcome;
      const object = part.outcome.value.get(objectKey(ref.namespace, ref.name));
      return object ? found(object) : absent;
    },
  };
}

function notWatched(what: string): Outcome<never> {
  return unreadable(`${what} is not watched`, false);
}
