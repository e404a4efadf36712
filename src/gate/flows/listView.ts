import { type KindRef, type KubeObject, kindName } from '../../cluster/objects.js';
import type { View } from '../../cluster/watchStore.js';
import { absent, found, type Outcome } from '../../core/outcome.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';
import { watchedKinds } from './readings.js';

/** One list of each kind that the rules look at, as the view that they read. */
export async function listView(persist: PersistOptions, namespace: string): Promise<View> {
  const lists = new Map<string, Outcome<readonly KubeObject[]>>();
  await Promise.all(
    watchedKinds.map(async (kind) => {
      const read = () => persist.cluster.list(kind, { namespace });
      const answer = await readUntilAnswered(`${kind.kind} list`, read, persist);
      lists.set(kindName(kind), answer === undefined ? absent : found(answer.items));
    }),
  );
  const list = (kind: KindRef): Outcome<readonly KubeObject[]> => lists.get(kindName(kind)) ?? absent;
  return {
    list,
    get: (ref) => {
      const all = list(ref);
      if (all.kind !== 'found') return all;
      const value = all.value.find((object) => object.metadata.name === ref.name);
      return value === undefined ? absent : found(value);
    },
  };
}
