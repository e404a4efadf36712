import { z } from 'zod';
import { type Api, parseJson } from './api.js';
import { ClusterError, isClusterError } from './clusterError.js';
import type { ServedKind, ServedKinds } from './servedKind.js';

const version = z.looseObject({ groupVersion: z.string() });
const groupsSchema = z.looseObject({
  kind: z.literal('APIGroupList'),
  groups: z.array(z.looseObject({ versions: z.array(version), preferredVersion: version.optional() })),
});

/** Group versions asked for at a time. */
const pool = 6;

/** Reads every group version; one that does not answer (an aggregated server that is away) is named and does not hide the others. */
export async function readAllKinds(
  api: Api,
  read: (apiVersion: string) => Promise<ReadonlyMap<string, ServedKind>>,
): Promise<ServedKinds> {
  const apiVersions = ['v1', ...(await readGroupVersions(api))];
  const kinds = new Map<string, ServedKinds['kinds'][number]>();
  const unreadable: { apiVersion: string; reason: string }[] = [];
  for (let i = 0; i < apiVersions.length; i += pool) {
    const documents = apiVersions.slice(i, i + pool).map(async (apiVersion) => {
      try {
        return { apiVersion, served: await read(apiVersion) };
      } catch (error) {
        if (!isClusterError(error)) throw error;
        unreadable.push({ apiVersion, reason: error.message });
        return undefined;
      }
    });
    for (const document of await Promise.all(documents)) {
      for (const [kind, { plural, namespaced, verbs }] of document?.served ?? []) {
        const { apiVersion } = document ?? { apiVersion: '' };
        // Preferred versions come first: the same kind at a later version is the same objects.
        const key = `${apiVersion.split('/').slice(0, -1).join('/')}/${plural}`;
        if (!kinds.has(key)) kinds.set(key, { apiVersion, kind, plural, namespaced, verbs });
      }
    }
  }
  return { kinds: [...kinds.values()], unreadable };
}

/** Each group's preferred version, then its others. */
async function readGroupVersions(api: Api): Promise<readonly string[]> {
  const answer = await api.send({ method: 'GET', path: '/apis' });
  if (answer.status !== 200) throw api.failure('the list of API groups', answer);
  const list = groupsSchema.safeParse(parseJson(answer.body));
  if (!list.success)
    throw new ClusterError({ code: 'undecodable', message: 'the list of API groups: the answer is none' });
  return list.data.groups.flatMap(({ versions, preferredVersion }) => {
    const all = versions.map((each) => each.groupVersion);
    const first = preferredVersion?.groupVersion ?? all[0];
    return [...(first === undefined ? [] : [first]), ...all.filter((each) => each !== first)];
  });
}
