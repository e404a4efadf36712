import { z } from 'zod';
import { readAllKinds } from './allKinds.js';
import { type Api, parseJson } from './api.js';
import { ClusterError } from './clusterError.js';
import { type KindRef, kindName } from './objects.js';
import type { ServedKind, ServedKinds } from './servedKind.js';

export interface Discovery {
  /**
   * `undefined` only when it is proven that the kind is not served: its group version's own document says so, asked anew,
   * while the API server calls itself ready (before that, kinds of CRDs and aggregated servers may be missing for a while).
   * Kinds that were found stay known; a kind that was not is asked for again each time. Throws `ClusterError` when the
   * API server does not answer.
   */
  resolve(kind: KindRef): Promise<ServedKind | undefined>;
  /** Drops what is known of a kind's group version: an answer did not agree with it. */
  forget(kind: KindRef): void;
  /** All that is served now. Throws `ClusterError` when the list of groups cannot be read. */
  all(): Promise<ServedKinds>;
}

const documentSchema = z.looseObject({
  kind: z.literal('APIResourceList'),
  resources: z.array(
    z.looseObject({
      name: z.string(),
      kind: z.string(),
      namespaced: z.boolean(),
      verbs: z.array(z.string()).default([]),
    }),
  ),
});

type Kinds = ReadonlyMap<string, ServedKind>;

const none: Kinds = new Map();

export function createDiscovery(api: Api): Discovery {
  const known = new Map<string, Kinds>();
  const underWay = new Map<string, Promise<Kinds>>();

  const read = async (apiVersion: string): Promise<Kinds> => {
    const kinds = await readGroupVersion(api, apiVersion);
    known.set(apiVersion, kinds);
    return kinds;
  };
  /** One request for all who ask at the same time. */
  const readOnce = (apiVersion: string): Promise<Kinds> => {
    const running = underWay.get(apiVersion) ?? read(apiVersion).finally(() => underWay.delete(apiVersion));
    underWay.set(apiVersion, running);
    return running;
  };

  return {
    async resolve({ apiVersion, kind }) {
      const served = known.get(apiVersion)?.get(kind) ?? (await readOnce(apiVersion)).get(kind);
      if (served) return served;
      await requireReady(api, `${kindName({ apiVersion, kind })} is not served, but`);
      return (await read(apiVersion)).get(kind);
    },
    forget(kind) {
      known.delete(kind.apiVersion);
    },
    all: () => readAllKinds(api, read),
  };
}

async function readGroupVersion(api: Api, apiVersion: string): Promise<Kinds> {
  const groupPath = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const what = `discovery of ${apiVersion}`;
  const answer = await api.send({ method: 'GET', path: groupPath });
  if (answer.status === 404) return none;
  if (answer.status !== 200) throw api.failure(what, answer);
  const document = documentSchema.safeParse(parseJson(answer.body));
  if (!document.success) {
    throw new ClusterError({ code: 'undecodable', message: `${what}: the answer is no list of resources` });
  }
  return new Map(
    document.data.resources
      .filter((resource) => !resource.name.includes('/'))
      .map(({ kind, name, namespaced, verbs }) => [kind, { groupPath, plural: name, namespaced, verbs }]),
  );
}

async function requireReady(api: Api, what: string): Promise<void> {
  const answer = await api.send({ method: 'GET', path: '/readyz', accept: '*/*' });
  if (answer.status !== 200) throw api.failure(`${what} the API server is not ready`, answer);
}
